import type { Import } from '@ordinator/model/areas/imports/import'
import type { ImportMapping, TableReading } from '@ordinator/model/areas/imports/wire'
import type { Row } from '@ordinator/model/entity'
import { api, apiUrl } from '#base/api.ts'
import { upload } from '#base/apiUpload.ts'
import { download } from '#base/http.ts'

export interface ImportOption {
  param: string
  label: string
  /** Values with labels; the first is the default. */
  choices?: Readonly<Record<string, string>>
}

export interface ImportDialogProps {
  /** Id of the server's importer. */
  kind: string
  title: string
  /** Allowed extensions; absent: those of tables. */
  extensions?: readonly string[]
  /** Format of the file, one line. */
  hint: string
  params?: Record<string, unknown>
  /** Options sent as parameters: yes or no, or a choice. */
  options?: readonly ImportOption[]
  /** A template file is available. */
  template?: boolean
  onClose: () => void
}

export type ImportRow = Row<typeof Import>
export type Params = Record<string, unknown>

interface Chosen {
  upload: string
  /** Absent: guessed from the header. */
  mapping?: ImportMapping
  reading?: TableReading | undefined
  params: Params
}

const toast = { forbidden: 'toast' } as const

export const importCalls = {
  preview(file: File, kind: string, params: Params, onProgress: (share: number) => void, signal: AbortSignal) {
    const form = new FormData()
    form.append('kind', kind)
    form.append('params', JSON.stringify(params))
    form.append('file', file)
    return upload('POST /imports/preview', { body: form }, { onProgress, signal })
  },
  check: (body: Chosen) => api('POST /imports/check', { body }, toast),
  start: (body: Chosen & { skipWrong: boolean }) => api('POST /imports', { body }, toast),
  cancel: (id: number) => api('POST /imports/:id/cancel', { params: { id } }, toast),
  changed: (id: number) => api('GET /imports/:id/changed', { params: { id } }, toast),
  revert: (id: number, force?: boolean) =>
    api('POST /imports/:id/revert', { params: { id }, body: force === undefined ? {} : { force } }, toast),
  errors: (id: number) => api('GET /imports/:id/errors', { params: { id } }, toast),
  saveErrors: (id: number) =>
    download(apiUrl('GET /imports/:id/errors', { params: { id }, query: { format: 'csv' } }), 'Ошибки импорта.csv'),
  saveTemplate: (kind: string) => download(apiUrl('GET /imports/template', { query: { kind } }), 'Шаблон импорта.xlsx'),
}
