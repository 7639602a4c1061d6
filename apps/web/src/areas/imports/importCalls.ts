import type {
  Import,
  ImportChanged,
  ImportError,
  ImportMapping,
  ImportPreview,
} from '@ordinator/model/areas/imports/import'
import type { Row } from '@ordinator/model/entity'
import { download, http } from '../../base/http.ts'
import { upload } from '../../base/upload.ts'

export interface ImportDialogProps {
  /** What the server's importer is called. */
  kind: string
  title: string
  /** Extensions that may be chosen. */
  extensions: readonly string[]
  /** One line of what the file should be. */
  hint: string
  params?: Record<string, unknown>
  /** Choices that go with the import as parameters. */
  options?: readonly { param: string; label: string }[]
  /** Whether there is a file to fill in. */
  template?: boolean
  onClose: () => void
}

export type ImportRow = Row<typeof Import>
export type Params = Record<string, unknown>

interface Chosen {
  upload: string
  mapping: ImportMapping
  params: Params
}

const toast = { forbidden: 'toast' } as const

export const importCalls = {
  preview(file: File, kind: string, params: Params, onProgress: (share: number) => void, signal: AbortSignal) {
    const form = new FormData()
    form.append('kind', kind)
    form.append('params', JSON.stringify(params))
    form.append('file', file)
    return upload<ImportPreview>('/imports/preview', form, { onProgress, signal })
  },
  check: (chosen: Chosen) => http.post<ImportPreview>('/imports/check', chosen, toast),
  start: (chosen: Chosen & { skipWrong: boolean }) => http.post<ImportRow>('/imports', chosen, toast),
  cancel: (id: number) => http.post<ImportRow>(`/imports/${id}/cancel`, {}, toast),
  changed: (id: number) => http.get<{ total: number; items: ImportChanged[] }>(`/imports/${id}/changed`, toast),
  revert: (id: number, force?: boolean) =>
    http.post<ImportRow>(`/imports/${id}/revert`, force === undefined ? {} : { force }, toast),
  errors: (id: number) => http.get<{ total: number; items: ImportError[] }>(`/imports/${id}/errors`, toast),
  saveErrors: (id: number) => download(`/imports/${id}/errors?format=csv`, 'Ошибки импорта.csv'),
  saveTemplate: (kind: string) => download(`/imports/template?kind=${kind}`, 'Шаблон импорта.xlsx'),
}
