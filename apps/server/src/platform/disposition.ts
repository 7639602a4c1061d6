import type { FastifyReply } from 'fastify'

/** The header `content-disposition` for a file of this name: as ASCII, and whole (RFC 6266). */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const coded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${coded}`
}

/** Answers a drawn paper, shown in place and kept by no cache. @param name of the file, with its ending */
export const sendPdf = (reply: FastifyReply, name: string, bytes: Uint8Array): FastifyReply =>
  reply
    .type('application/pdf')
    .header('content-disposition', disposition('inline', name))
    .header('cache-control', 'private, no-store')
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
