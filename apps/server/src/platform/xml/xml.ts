/**
 * Parses, searches and validates XML from outside in a worker (xmlWorker.ts), never on the server's thread. Size, depth
 * (256) and number of nodes are limited; a DOCTYPE is refused, so that there are no entities; nothing outside the given
 * bytes is ever read.
 */
import { createHash } from 'node:crypto'
import { createHelper, onePerServer } from '../helper.ts'
import type { Logger } from '../log.ts'
import { startThread } from '../runner.ts'

const PROGRAM = new URL('./xmlWorker.ts', import.meta.url)
/** Bytes of one document. */
const MAX_BYTES = 32 * 1024 * 1024
/** A worker that has read more is replaced, since WebAssembly never frees memory. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024
const WORK_MS = 20_000
const MEMORY_MB = 768
const LIMITS = {
  running: 1,
  waiting: 100,
  person: { running: 1, waiting: 50 },
  patienceMs: 60_000,
}

/** An element as plain data. Names are local, without prefixes. */
export interface XmlNode {
  name: string
  /** The namespace; absent: none. */
  ns?: string
  attributes: Record<string, string>
  /** Text directly in the element, without its children's. */
  text: string
  children: XmlNode[]
}

/** What is wrong with a document, in Russian. */
export interface XmlFault {
  message: string
  /** From 1; 0: unknown. */
  line: number
  /** XPath of the element, for a schema violation. */
  path?: string
}

/** A schema with all files it includes or imports, by the names it uses. */
export interface XsdSchema {
  main: string
  files: Record<string, Uint8Array>
}

/** The document cannot be read. The message is for people. */
export class XmlError extends Error {
  override name = 'XmlError'
  readonly faults: readonly XmlFault[]

  constructor(faults: readonly XmlFault[]) {
    super(faults[0]?.message ?? 'Файл XML не читается')
    this.faults = faults
  }
}

export interface XmlAsk {
  /** Key of the person or exchange: their documents are read one after another. */
  who: number | string
  /** Absent: MAX_BYTES. */
  maxBytes?: number
}

/** All throw XmlError when the document is refused, and HttpError 429 and 503 when the queue is full. */
export interface Xml {
  /** The whole document as plain data. */
  parse(bytes: Uint8Array, ask: XmlAsk): Promise<XmlNode>
  /**
   * Elements found by an XPath, complete. A found attribute or text is returned as an element without children that has its
   * name and value.
   * @param namespaces prefixes used in the XPath
   */
  find(bytes: Uint8Array, xpath: string, ask: XmlAsk & { namespaces?: Record<string, string> }): Promise<XmlNode[]>
  /** @returns the first 100 faults; empty: the document is valid. @throws Error when the schema itself is broken */
  validate(bytes: Uint8Array, schema: XsdSchema, ask: XmlAsk): Promise<XmlFault[]>
  close(): Promise<void>
}

export type XmlJob =
  | { act: 'find'; bytes: Uint8Array; xpath?: string | undefined; namespaces?: Record<string, string> | undefined }
  | { act: 'validate'; bytes: Uint8Array; schema: XsdSchema; key: string }
export type XmlAnswer = { found: XmlNode[] } | { faults: XmlFault[] } | { unreadable: XmlFault[] } | { failed: string }

export function createXml(log: Pick<Logger, 'warn'>, workMs = WORK_MS): Xml {
  const helper = createHelper<XmlJob, XmlAnswer>({
    name: 'xml',
    start: () => startThread(PROGRAM, { memoryMb: MEMORY_MB }),
    log,
    workMs,
    limits: LIMITS,
    words: {
      tooHard: () => new XmlError([{ message: 'Файл XML слишком велик или сложен', line: 0 }]),
      ownWait: 'Предыдущие файлы ещё читаются. Дождитесь их',
      crowded: 'Сейчас читается слишком много файлов. Повторите через минуту',
      busy: 'Сервер сейчас занят, и файл не прочитан. Повторите через минуту',
    },
  })
  const keys = new WeakMap<XsdSchema, string>()

  function keyOf(schema: XsdSchema): string {
    const known = keys.get(schema)
    if (known) return known
    const hash = createHash('sha256').update(schema.main)
    for (const name of Object.keys(schema.files).sort()) hash.update(name).update(schema.files[name] as Uint8Array)
    const key = hash.digest('hex')
    keys.set(schema, key)
    return key
  }

  async function run(job: XmlJob, { who, maxBytes = MAX_BYTES }: XmlAsk) {
    if (job.bytes.length > maxBytes)
      throw new XmlError([{ message: `Файл XML больше ${Math.floor(maxBytes / 1024 / 1024)} МБ`, line: 0 }])
    const answer = await helper.run(job, who, job.bytes.length > MAX_KEPT_BYTES)
    if ('unreadable' in answer) throw new XmlError(answer.unreadable)
    if ('failed' in answer) throw new Error(answer.failed)
    return answer
  }

  async function find(bytes: Uint8Array, ask: XmlAsk, xpath?: string, namespaces?: Record<string, string>) {
    const answer = await run({ act: 'find', bytes, xpath, namespaces }, ask)
    return 'found' in answer ? answer.found : []
  }

  return {
    parse: async (bytes, ask) => (await find(bytes, ask))[0] as XmlNode,
    find: (bytes, xpath, ask) => find(bytes, ask, xpath, ask.namespaces),
    async validate(bytes, schema, ask) {
      const answer = await run({ act: 'validate', bytes, schema, key: keyOf(schema) }, ask)
      return 'faults' in answer ? answer.faults : []
    },
    close: () => helper.close(),
  }
}

/** The XML reader of this server. */
export const xmlOf = onePerServer((log) => createXml(log))
