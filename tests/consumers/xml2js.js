// What dorny/test-reporter (reporter: java-junit) makes of a file: suites directly under the root, cases directly
// under a suite, the first failure of a case or else its first error. Names are trimmed, so each must be there.
"use strict";

const { parseStringPromise } = require("xml2js");
const { head, number, tally } = require("./seen.js");

async function read(text) {
  const parsed = await parseStringPromise(text);
  const suites = parsed.testsuites === undefined ? [parsed.testsuite] : (parsed.testsuites.testsuite ?? []);
  const cases = suites.flatMap(casesOf);
  return { cases, counts: tally(cases) };
}

function casesOf(suite) {
  const name = suite.$.name.trim();
  return (suite.testcase ?? []).map((testcase) => seen(name, testcase));
}

function seen(suite, testcase) {
  const [mark] = testcase.failure ?? testcase.error ?? testcase.skipped ?? [];
  const attributes = typeof mark === "object" ? (mark.$ ?? {}) : {};
  return {
    suite,
    classname: testcase.$.classname,
    name: testcase.$.name.trim(),
    status: status(testcase),
    message: attributes.message ?? "",
    text: head(typeof mark === "object" ? mark._ : mark),
    time: number(parseFloat(testcase.$.time)),
    file: null, // it looks for a file and a line in the text alone, in the lines of a Java stack trace
    line: null,
  };
}

function status(testcase) {
  if (testcase.failure) return "failed";
  if (testcase.error) return "error";
  return testcase.skipped ? "skipped" : "passed";
}

module.exports = { read };
