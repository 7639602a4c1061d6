/** Worker that parses and runs Schematron rules, one document after another. */
import { parentPort } from 'node:worker_threads'
import fontoxpath from 'fontoxpath'
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
    // The rules name elements without a namespace, so they would never match a document with one.
    // Indentation is removed: it is half of the nodes that each rule would visit.
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
  read.patterns.forEach(hasten)
  kept.set(key, read)
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break
    kept.delete(oldest)
  }
  return read
}

type Pattern = Schema['patterns'][number]
type Checked = Parameters<Pattern['validateDocument']>
/** Every alternative of a context begins at the root element. */
const FROM_ROOT = /^\s*ClinicalDocument\b[^|]*(\|\s*ClinicalDocument\b[^|]*)*$/

/** A root element nested in itself is no CDA: then a context is searched from every node. */
const flat = new WeakMap<object, boolean>()
function isFlat(dom: Checked[0]): boolean {
  const known = flat.get(dom) ?? dom.getElementsByTagName('ClinicalDocument').length === 1
  flat.set(dom, known)
  return known
}

/**
 * Runs a pattern by its contexts: the library walks over the whole document for each of the 468 patterns, and evaluates a
 * context from every node although most begin at the root, which took three quarters of a check.
 */
function hasten(pattern: Pattern): void {
  if (pattern.variables.length > 0) return
  pattern.validateDocument = (dom: Checked[0], variables: Checked[1], options: Checked[2]) => {
    // A node is judged by the first rule of its pattern that it fits.
    const judged = new Set<unknown>()
    return pattern.rules.flatMap((rule) => {
      const path = isFlat(dom) && FROM_ROOT.test(rule.context) ? rule.context : `//(${rule.context})`
      const nodes = fontoxpath.evaluateXPathToNodes<Parameters<typeof rule.validateNode>[0] & Node>(
        path,
        dom,
        null,
        variables,
        options,
      )
      return nodes.flatMap((node) => {
        if (judged.has(node)) return []
        judged.add(node)
        return rule.validateNode(node, variables, options)
      })
    })
  }
}

/**
 * Rewrites XSLT-only expressions for plain XPath 3.1: `current()` within a condition is the context element of the
 * condition, and `matches` has no flags.
 */
const forXPath31 = (rules: string): string =>
  rules
    .replace(/^\uFEFF/, '')
    // A context is searched from every node already: a leading `//` would search again from each of them.
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
