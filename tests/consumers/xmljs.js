// What mikepenz/action-junit-report makes of a file: compact JSON, suites of any depth, and a case that is marked as
// skipped is never red, whatever else it holds. Text in CDATA comes first, and a message may be made of the text.
"use strict";

const { xml2json } = require("xml-js");
const { head, number, tally } = require("./seen.js");

async function read(text) {
  const parsed = JSON.parse(xml2json(text, { compact: true }));
  const cases = inside(parsed.testsuite ? parsed : (parsed.testsuites ?? {}));
  return { cases, counts: tally(cases) };
}

const all = (one) => (one === undefined ? [] : [one].flat());

function inside(parent) {
  return all(parent.testsuite).flatMap((suite) => [
    ...inside(suite),
    ...all(suite.testcase).map((testcase) => seen(suite._attributes?.name ?? "", testcase)),
  ]);
}

function seen(suite, testcase) {
  const [mark = {}] = all(testcase.failure ?? testcase.error ?? testcase.skipped);
  const attributes = testcase._attributes;
  const text = String(mark._cdata ?? mark._text ?? "").trim();
  return {
    suite,
    classname: attributes.classname ?? attributes.name,
    name: attributes.name,
    status: status(testcase),
    message: (mark._attributes?.message || text.split("\n").slice(0, 2).join("\n")).trim(),
    text: head(text),
    time: number(parseFloat(attributes.time)),
    file: attributes.file ?? null,
    line: number(parseInt(attributes.line, 10)),
  };
}

function status(testcase) {
  if (testcase.skipped) return "skipped";
  if (testcase.failure) return "failed";
  return testcase.error ? "error" : "passed";
}

module.exports = { read };
