/** File uploads; separate from api.ts, since the shell needs none. */
import type { Asked } from '@ordinator/model/call'
import type { Calls } from '@ordinator/model/calls'
import type { Entity, Row } from '@ordinator/model/entity'
import { type Answer, addressOf, type UploadName } from './api.ts'
import { upload as send, type UploadOptions } from './upload.ts'

/** Sends a form with files, or one file as the field `file`. */
export const upload = <N extends UploadName>(
  name: N,
  asked: Asked<Calls[N]>,
  options?: Omit<UploadOptions, 'query'>,
): Promise<Answer<N>> => send(addressOf(name, asked).path, (asked as { body: FormData | File }).body, options)

/** Uploads a file to its entity's path; the record is created when the file is stored completely. */
export const uploadFile = <E extends Entity>(entity: E, file: File, options?: UploadOptions): Promise<Row<E>> =>
  send(`/${entity.path}`, file, options)
