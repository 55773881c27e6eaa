// Reads files until its input ends: a line is {"library": …, "text": …}, and so is each answer, {"read": …} or {"refused": …}.
// One process reads many files, for starting node takes longer than reading.
"use strict";

const readline = require("node:readline");

const READERS = { xml2js: require("./xml2js.js").read, "xml-js": require("./xmljs.js").read };

async function answer({ library, text }) {
  try {
    return { read: await READERS[library](text) };
  } catch (error) {
    return { refused: `${error.name}: ${error.message}` };
  }
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
  }
}

main();
