import { RegulationFile } from '@ordinator/model/areas/regulations/step'
import { z } from 'zod'
import { operation } from '../../records/operation.ts'
import { fetchImage } from '../files/index.ts'

/** As the address that platform/outbound.ts takes. */
const MAX_URL = 2000
/** Fetches a minute from one address. */
const LIMIT = 30

/** A picture of a step by its address: the clinic keeps a copy, and answers the record as an upload does. */
export const imageByUrl = operation({
  method: 'POST',
  path: `/${RegulationFile.path}/by-url`,
  summary: 'Картинка шага по ссылке: сервер скачивает её и хранит у себя',
  access: 'editScripts',
  body: z.strictObject({
    url: z.string('Введите ссылку').trim().min(1, 'Введите ссылку').max(MAX_URL, 'Ссылка слишком длинная'),
  }),
  status: 201,
  limit: LIMIT,
  handler: ({ app, records, body: { url } }) => fetchImage(app, records, RegulationFile, url),
})
