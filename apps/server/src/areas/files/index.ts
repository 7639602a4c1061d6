import { entities } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import type { Area } from '#records/area.ts'
import { fileAdapters } from './adapters.ts'
import { serving } from './serve.ts'
import { registerSweep } from './sweep.ts'
import { uploadOf } from './upload.ts'

export { fetchImage, isPicture } from './fetchImage.ts'
export { asPerson, declaredBytes, QUOTA_USED, type Sender, withinQuota } from './quota.ts'
export { fileRecords, holdersOfFiles } from './records.ts'
export { sendStored } from './serve.ts'
export { keep, type Received, receive, type StoredFile, storeFile } from './upload.ts'

/** Entities of stored files: an area declares one by `upload` and gives it a row scope of its own. */
export const fileEntities: readonly Entity[] = (entities as readonly Entity[]).filter((entity) => entity.upload)

/** Upload to every file entity, and `GET /files/{id}/{size?}` over all of them. */
export const files: Area = {
  name: 'files',
  title: 'Файлы',
  records: [],
  operations: [...fileEntities.map(uploadOf), ...serving(fileEntities)],
  adapters: fileAdapters,
  start: (app) => registerSweep(app, fileEntities),
}
