// What both readers say of a file, in the same words.
"use strict";

const HEAD = 500;

// The first characters of a text, never half of one; a text that is not there is an empty one.
const head = (text = "") => Array.from(text.slice(0, 2 * HEAD)).slice(0, HEAD).join("");

// JSON has no NaN.
const number = (value) => (Number.isNaN(value) ? null : value);

function tally(cases) {
  const count = (status) => cases.filter((one) => one.status === status).length;
  return { tests: cases.length, failures: count("failed"), errors: count("error"), skipped: count("skipped") };
}

module.exports = { head, number, tally };
