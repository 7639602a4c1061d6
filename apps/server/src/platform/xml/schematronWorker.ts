/** Reads and runs schematron rules beside the server's own thread, one document after another. */
import { parentPort } from 'node:worker_threads'
import { Schema } from 'node-schematron'
import type { Broken, SchematronAnswer, SchematronJob } from './schematron.ts'

const MAX_KEPT = 4
const MAX_BROKEN = 200
const MAX_MESSAGE = 800
const kept = new Map<string, Schema>()

parentPort?.on('message', (job: SchematronJob) => parentPort?.postMessage(answerTo(job)))

function answerTo({ rules, key, document }: SchematronJob): SchematronAnswer {
  try {
    const schema = schemaOf(key, rules)
    if (document === undefined) return { count: (rules.match(/<(?:\w+:)?(?:assert|report)\b/g) ?? []).length }
    // The rules name elements without a namespace: with it in the document none of them would ever match.
    // Indents are left out: half of the nodes that each rule would walk over.
    const bare = document.replace(/ xmlns="urn:hl7-org:v3"/, '').replace(/>\s+</g, '><')
    const found = schema.validateString(bare, {}).map(({ message }) => brokenOf(message ?? ''))
    return { broken: unique(found).slice(0, MAX_BROKEN) }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

function schemaOf(key: string, rules: string): Schema {
  const known = kept.get(key)
  if (known) return known
  const read = Schema.fromString(forXPath31(rules))
  kept.set(key, read)
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break
    kept.delete(oldest)
  }
  return read
}

/**
 * Rewrites what XPath 3.1 outside of XSLT does not have: `current()` within a condition is the element that the condition
 * is asked of, and `matches` has no flags.
 */
const forXPath31 = (rules: string): string =>
  rules
    .replace(/^\uFEFF/, '')
    // A context is looked for from every node already: `//` at its beginning would do so from each of them once more.
    .replace(
      /(<(?:\w+:)?rule\b[^>]*\bcontext=)("[^"]*"|'[^']*')/g,
      (_, rule: string, context: string) => rule + context.replace(/(^["']|\|)\s*\/\//g, '$1 '),
    )
    .replace(
      /\[count\(([^"]*?current\(\)[^"]*?)\)=0\]/g,
      (_, inner: string) => `[let $c := . return count(${inner.replaceAll('current()', '$c')})=0]`,
    )
    .replace(/matches\(([^(),]+),\s*('[^']*'),\s*'i'\)/g, 'matches(lower-case(string($1)),lower-case($2))')

function brokenOf(message: string): Broken {
  const words = message.trim().replace(/\s+/g, ' ')
  const code = /^((?:У|Core|Main|Extra)\d+(?:-\d+)*)\.?\s/.exec(words)?.[1] ?? ''
  return { code, message: words.slice(0, MAX_MESSAGE) }
}

const unique = (all: readonly Broken[]): Broken[] => [...new Map(all.map((one) => [one.message, one])).values()]
