import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Error code of an S3 refusal. */
export type S3Refusal = 'InvalidAccessKeyId' | 'SignatureDoesNotMatch' | 'AccessDenied' | 'NoSuchBucket'

/**
 * Simulator of the part of S3 in use (https://docs.aws.amazon.com/AmazonS3/latest/API/): objects with ranges, multipart
 * uploads. It simulates refusals and timeouts on request.
 */
export interface S3Simulator {
  /** Value for FILES. */
  files: string
  objects: Map<string, Buffer>
  /** Multipart uploads that were neither completed nor aborted. */
  open: Map<string, Map<number, Buffer>>
  refusal: S3Refusal | 'silent' | undefined
  /** Number of complete requests. */
  asked: number
  /** The key may read and remove, but not write. */
  takesNothing: boolean
  /** The key may read and write, but not remove. */
  keepsAll: boolean
  /** Refuses parts from this number on. */
  failsFromPart: number | undefined
  close(): Promise<void>
}

export async function simulateS3(bucket = 'clinic'): Promise<S3Simulator> {
  const objects: S3Simulator['objects'] = new Map()
  const open: S3Simulator['open'] = new Map()
  let uploads = 0
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })
  const xml = (response: ServerResponse, status: number, body: string) =>
    response.writeHead(status, { 'Content-Type': 'application/xml' }).end(`<?xml version="1.0"?>${body}`)
  const refuse = (response: ServerResponse, status: number, code: string) =>
    xml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3')
    const body = await buffer(request)
    simulator.asked++
    if (simulator.refusal === 'silent') return
    if (simulator.refusal) return refuse(response, simulator.refusal === 'NoSuchBucket' ? 404 : 403, simulator.refusal)
    if (!pathname.startsWith(`/${bucket}/`)) return refuse(response, 404, 'NoSuchBucket')
    const key = decodeURIComponent(pathname.slice(bucket.length + 2))
    const upload = searchParams.get('uploadId') ?? ''
    const found = objects.get(key)
    switch (request.method) {
      case 'POST': {
        if (searchParams.has('uploads')) {
          open.set(`${++uploads}`, new Map())
          return xml(
            response,
            200,
            `<InitiateMultipartUploadResult><UploadId>${uploads}</UploadId></InitiateMultipartUploadResult>`,
          )
        }
        const parts = [...(open.get(upload) ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part)
        objects.set(key, Buffer.concat(parts))
        open.delete(upload)
        return xml(response, 200, '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>')
      }
      case 'PUT': {
        const part = Number(searchParams.get('partNumber'))
        if (simulator.takesNothing || (part && part >= (simulator.failsFromPart ?? Number.POSITIVE_INFINITY)))
          return refuse(response, 403, 'AccessDenied')
        if (part) open.get(upload)?.set(part, body)
        else objects.set(key, body)
        return response.writeHead(200, { ETag: '"x"' }).end()
      }
      case 'DELETE':
        if (simulator.keepsAll) return refuse(response, 403, 'AccessDenied')
        if (upload) open.delete(upload)
        else objects.delete(key)
        return response.writeHead(204).end()
      default: {
        if (!found)
          return request.method === 'HEAD' ? response.writeHead(404).end() : refuse(response, 404, 'NoSuchKey')
        const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
        const shown = range ? found.subarray(Number(range[1]), Number(range[2]) + 1) : found
        response.writeHead(range ? 206 : 200, { 'Content-Length': shown.length })
        return request.method === 'HEAD' ? response.end() : response.end(shown)
      }
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const simulator: S3Simulator = {
    files: `s3://${bucket}/files?endpoint=http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    open,
    refusal: undefined,
    asked: 0,
    takesNothing: false,
    keepsAll: false,
    failsFromPart: undefined,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return simulator
}
