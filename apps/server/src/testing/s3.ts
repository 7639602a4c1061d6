import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Simulator, simulator } from './simulator.ts'

/** Error code of an S3 refusal. */
export type S3Refusal = 'InvalidAccessKeyId' | 'SignatureDoesNotMatch' | 'AccessDenied' | 'NoSuchBucket'

/**
 * Simulator of the part of S3 in use (https://docs.aws.amazon.com/AmazonS3/latest/API/): objects with ranges, multipart
 * uploads. It simulates refusals and timeouts on request.
 */
export interface S3Simulator extends Simulator {
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
}

/** @param options port: 0 or absent: any free one; objects: where they are kept, absent: in memory */
export async function simulateS3(
  bucket = 'clinic',
  { port = 0, objects = new Map() }: { port?: number; objects?: S3Simulator['objects'] } = {},
): Promise<S3Simulator> {
  const open: S3Simulator['open'] = new Map()
  let uploads = 0
  const server = await simulator({
    port,
    routes: (request, response, _text, url, body) => handle(request, response, url, body),
  })
  const xml = (response: ServerResponse, status: number, body: string) =>
    response.writeHead(status, { 'Content-Type': 'application/xml' }).end(`<?xml version="1.0"?>${body}`)
  const refuse = (response: ServerResponse, status: number, code: string) =>
    xml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)

  function handle(
    request: IncomingMessage,
    response: ServerResponse,
    { pathname, searchParams }: URL,
    body: Buffer,
  ): unknown {
    store.asked++
    if (store.refusal === 'silent') return
    if (store.refusal) return refuse(response, store.refusal === 'NoSuchBucket' ? 404 : 403, store.refusal)
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
        if (store.takesNothing || (part && part >= (store.failsFromPart ?? Number.POSITIVE_INFINITY)))
          return refuse(response, 403, 'AccessDenied')
        if (part) open.get(upload)?.set(part, body)
        else objects.set(key, body)
        return response.writeHead(200, { ETag: '"x"' }).end()
      }
      case 'DELETE':
        if (store.keepsAll) return refuse(response, 403, 'AccessDenied')
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

  const store: S3Simulator = Object.assign(server, {
    files: `s3://${bucket}/files?endpoint=${server.url}`,
    objects,
    open,
    refusal: undefined,
    asked: 0,
    takesNothing: false,
    keepsAll: false,
    failsFromPart: undefined,
  } satisfies Partial<S3Simulator>)
  return store
}
