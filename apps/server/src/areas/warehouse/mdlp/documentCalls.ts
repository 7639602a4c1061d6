/** Documents and packs of МДЛП. */
import { AdapterFault } from '#platform/adapter.ts'
import type { Answered } from '#platform/outbound.ts'
import { RemoteFault } from '#platform/remote.ts'
import { read } from './answer.ts'
import type { Listed, Mdlp } from './client.ts'

/** Documents per page of a list, and maximum number of pages per read. */
const PAGE = 100
const MAX_PAGES = 50

type Ask = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answered>

/** @param ask a signed request @param base address of МДЛП, without a slash at the end */
export function documentsOf(ask: Ask, base: string): Omit<Mdlp, 'code' | 'signIn' | 'check'> {
  const json = async (method: 'GET' | 'POST', path: string, body?: unknown) => read(await ask(method, path, body))

  /** XML directly, or through a link of theirs. */
  async function text(path: string): Promise<string> {
    const answer = await ask('GET', path)
    const text = answer.bytes.toString('utf8')
    if (answer.status < 400 && text.trimStart().startsWith('<')) return text
    const { link } = read(answer) as { link?: string }
    if (!link?.startsWith(`${base}/`)) throw new AdapterFault('МДЛП не отдаёт документ')
    const file = await ask('GET', link.slice(base.length))
    if (file.status >= 400) throw new AdapterFault('МДЛП не отдаёт документ')
    return file.bytes.toString('utf8')
  }

  return {
    async send(xml, signature, requestId) {
      const { document_id } = await json('POST', '/documents/send', {
        document: Buffer.from(xml).toString('base64'),
        sign: signature,
        request_id: requestId,
      })
      if (typeof document_id !== 'string') throw new RemoteFault('МДЛП не назвал номер документа', true)
      return document_id
    },
    async byRequest(requestId) {
      const { documents } = await json('GET', `/documents/request/${encodeURIComponent(requestId)}`)
      const [first] = (documents ?? []) as { document_id?: string }[]
      return first?.document_id
    },
    async stateOf(documentId) {
      const { doc_status } = await json('GET', `/documents/${encodeURIComponent(documentId)}`)
      return /PROCESSED|FAILED|READY/.test(String(doc_status)) ? 'done' : 'processing'
    },
    ticket: (documentId) => text(`/documents/${encodeURIComponent(documentId)}/ticket`),
    async list(which, schema, since) {
      const found: Listed[] = []
      for (let page = 0; page < MAX_PAGES; page++) {
        const { documents } = await json('POST', `/documents/${which}`, {
          filter: { doc_type: String(schema), start_date: since },
          start_from: page * PAGE,
          count: PAGE,
        })
        const rows = (documents ?? []) as {
          document_id: string
          doc_type: number | string
          sender?: string
          doc_status?: string
        }[]
        for (const one of rows)
          found.push({
            documentId: String(one.document_id),
            schema: String(one.doc_type),
            sender: String(one.sender ?? ''),
            isProcessed: /PROCESSED|FAILED/.test(one.doc_status ?? ''),
          })
        if (rows.length < PAGE) break
      }
      return found
    },
    download: (documentId) => text(`/documents/download/${encodeURIComponent(documentId)}`),
    async states(sgtins) {
      const { entries } = await json('POST', '/reestr/sgtin/sgtins-by-list', { filter: { sgtins } })
      return new Map(
        ((entries ?? []) as { sgtin: string; status: string }[]).map(({ sgtin, status }) => [sgtin, status]),
      )
    },
    async packsOf(sscc) {
      const hierarchy = await json('GET', `/reestr/sscc/${encodeURIComponent(sscc)}/hierarchy`)
      const packs = new Set<string>()
      const boxes = [hierarchy]
      for (let box = boxes.pop(); box; box = boxes.pop())
        for (const child of (box.childs ?? box.down ?? []) as Record<string, unknown>[]) {
          if (typeof child.sgtin === 'string') packs.add(child.sgtin)
          boxes.push(child)
        }
      return [...packs]
    },
  }
}
