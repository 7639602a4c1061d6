/** Worker that parses, searches and validates XML, one document after another. */
import { parentPort } from 'node:worker_threads'
import {
  type XmlNode as LibNode,
  ParseOption,
  XmlAttribute,
  XmlBufferInputProvider,
  XmlComment,
  XmlDocument,
  XmlElement,
  XmlLibError,
  XmlSimpleNode,
  XmlValidateError,
  XmlXPathError,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm'
import { textOfXml, Unreadable } from './decodeXml.ts'
import { inRussian } from './faultWords.ts'
import type { XmlAnswer, XmlFault, XmlJob, XmlNode, XsdSchema } from './xml.ts'

/** Maximum elements, attributes and texts in one answer. */
const MAX_NODES = 1_000_000
const MAX_FAULTS = 100
const MAX_SCHEMAS = 4
/** Never XML_PARSE_NOENT: it would read the files named by entities. */
const OPTIONS = (ParseOption.XML_PARSE_NO_XXE |
  ParseOption.XML_PARSE_NONET |
  ParseOption.XML_PARSE_IGNORE_ENC) as number

parentPort?.on('message', (job: XmlJob) => parentPort?.postMessage(answerTo(job)))

function answerTo(job: XmlJob): XmlAnswer {
  try {
    const doc = parsed(job.bytes)
    try {
      if (job.act === 'validate') return { faults: faultsOf(doc, validatorOf(job.key, job.schema)) }
      const nodes = job.xpath === undefined ? [doc.root] : doc.find(job.xpath, job.namespaces ?? {})
      const count = { left: MAX_NODES }
      return { found: nodes.flatMap((node) => plain(node, count) ?? []) }
    } finally {
      doc.dispose()
    }
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: [{ message: error.message, line: error.line }] }
    if (error instanceof XmlXPathError || !(error instanceof XmlLibError))
      return { failed: error instanceof Error ? error.message : String(error) }
    return { unreadable: russian(error) }
  }
}

function parsed(bytes: Uint8Array): XmlDocument {
  const doc = XmlDocument.fromString(textOfXml(bytes), { option: OPTIONS as ParseOption })
  if (!doc.dtd) return doc
  doc.dispose()
  throw new Unreadable('В файле есть DOCTYPE: такие файлы не принимаются')
}

function plain(node: LibNode, count: { left: number }): XmlNode | undefined {
  if (count.left-- <= 0) throw new Unreadable('В файле слишком много элементов')
  if (node instanceof XmlAttribute) return { name: node.name, attributes: {}, text: node.value, children: [] }
  if (node instanceof XmlSimpleNode) return { name: '#text', attributes: {}, text: node.content, children: [] }
  if (!(node instanceof XmlElement)) return undefined
  const made: XmlNode = { name: node.name, attributes: {}, text: '', children: [] }
  if (node.namespaceUri) made.ns = node.namespaceUri
  for (const attribute of node.attrs) {
    count.left--
    made.attributes[attribute.name] = attribute.value
  }
  for (let child = node.firstChild; child; child = child.next) {
    if (child instanceof XmlElement) made.children.push(plain(child, count) as XmlNode)
    else if (child instanceof XmlSimpleNode && !(child instanceof XmlComment)) made.text += child.content
  }
  return made
}

function faultsOf(doc: XmlDocument, validator: XsdValidator): XmlFault[] {
  try {
    validator.validate(doc)
    return []
  } catch (error) {
    if (error instanceof XmlValidateError) return russian(error)
    throw error
  }
}

const russian = ({ details, message }: XmlLibError): XmlFault[] =>
  (details.length > 0 ? details : [{ message, line: 0, xpath: undefined }]).slice(0, MAX_FAULTS).map((detail) => ({
    message: inRussian(detail.message),
    line: detail.line,
    ...(detail.xpath !== undefined && { path: detail.xpath }),
  }))

const files = new Map<string, Uint8Array>()
const provider = new XmlBufferInputProvider({})
xmlRegisterInputProvider(provider)
/** Compiled schemas, the most recently used last. */
const validators = new Map<string, XsdValidator>()

function validatorOf(key: string, schema: XsdSchema): XsdValidator {
  const known = validators.get(key)
  if (known) {
    validators.delete(key)
    validators.set(key, known)
    return known
  }
  const validator = compiled(schema)
  validators.set(key, validator)
  for (const [oldest, one] of validators) {
    if (validators.size <= MAX_SCHEMAS) break
    one.dispose()
    validators.delete(oldest)
  }
  return validator
}

const LOCATION = /\bschemaLocation\s*=\s*["']([^"']*)["']/g
/** Resolves the name of a file relative to another one. */
const beside = (name: string, location: string): string =>
  decodeURI(new URL(location, `xsd:///${encodeURI(name)}`).pathname.slice(1))

/** @throws Error with a message for people */
function compiled(schema: XsdSchema): XsdValidator {
  const address = (name: string) => `xsd:///${encodeURI(name)}`
  for (const [name, bytes] of Object.entries(schema.files)) {
    // Some schemas use Windows path separators.
    const text = textOfXml(bytes).replace(LOCATION, (location) => location.replaceAll('\\', '/'))
    // A file that is not given would be looked up elsewhere.
    for (const [, location = ''] of text.matchAll(LOCATION))
      if (!schema.files[beside(name, location)])
        throw new Error(`Схема ${name} ссылается на «${location}», а такого файла нет`)
    files.set(address(name), new TextEncoder().encode(text))
  }
  const main = files.get(address(schema.main))
  if (!main) throw new Error(`Нет файла схемы ${schema.main}`)
  for (const [name, bytes] of files) provider.addBuffer(name, bytes)
  const doc = XmlDocument.fromBuffer(main, { url: address(schema.main), option: OPTIONS as ParseOption })
  try {
    return XsdValidator.fromDoc(doc)
  } catch (error) {
    if (error instanceof XmlLibError) throw new Error(`Схема ${schema.main} не читается: ${error.message.trim()}`)
    throw error
  } finally {
    doc.dispose()
    for (const name of files.keys()) provider.removeBuffer(name)
    files.clear()
  }
}
