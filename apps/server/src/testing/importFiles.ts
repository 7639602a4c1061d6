import type { Import } from '@ordinator/model/areas/imports/import'
import type { ImportPreview } from '@ordinator/model/areas/imports/wire'
import type { Row } from '@ordinator/model/entity'
import { good } from './good.ts'
import type { Answer, Caller, Clinic } from './harness.ts'

type Bytes = string | Uint8Array
type Run = Row<typeof Import>

/** For tests: joins the lines of a file. */
export const csv = (...lines: string[]): string => lines.join('\r\n')

/** For tests: import actions with files of one kind. */
export const importFiles = (clinic: Clinic, kind: string) => {
  const preview = (
    who: Caller,
    file: Bytes,
    params: object = {},
    name = 'файл.csv',
  ): Promise<Answer<ImportPreview>> => {
    const form = new FormData()
    form.append('file', new File([file as BlobPart], name))
    form.append('kind', kind)
    form.append('params', JSON.stringify(params))
    return who.post('/imports/preview', form)
  }
  const begin = async (who: Caller, preview: ImportPreview, more: object = {}): Promise<Run> =>
    good(await who.post<Run>('/imports', { upload: preview.upload, mapping: preview.mapping, ...more }), 201)
  /** The import after all its jobs. */
  const end = async (who: Caller, { id }: Pick<Run, 'id'>): Promise<Run> => {
    await clinic.context.jobs.drain()
    return good(await who.get<Run>(`/imports/${id}`))
  }
  return {
    preview,
    begin,
    end,
    take: async (who: Caller, file: Bytes, params: object = {}, more: object = {}): Promise<Run> =>
      end(who, await begin(who, good(await preview(who, file, params)), more)),
    revert: async (who: Caller, run: Pick<Run, 'id'>, body: object = {}): Promise<Run> => {
      good(await who.post(`/imports/${run.id}/revert`, body))
      return end(who, run)
    },
  }
}
