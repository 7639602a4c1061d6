import { IconFileTypeDocx, IconPrinter, IconSignature } from '@tabler/icons-react'
import { apiUrl } from '#base/api.ts'
import { download } from '#base/http.ts'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { toastFailed } from '../toasts.ts'
import type { ViewPartProps } from '../view/ViewPartProps.ts'

/** The regulation to print, or as a Word document. */
export function PaperItems({ view: { id, name } }: ViewPartProps) {
  const save = () =>
    download(apiUrl('GET /regulations/model/docx', { query: { id } }), `${name}.docx`).catch((error: unknown) =>
      toastFailed('Ошибка при загрузке данных', error),
    )
  return (
    <>
      <MenuItem
        label="Печать"
        component="a"
        href={apiUrl('GET /regulations/model/pdf', { query: { id } })}
        target="_blank"
        rel="noopener"
        icon={IconPrinter}
      />
      <MenuItem
        label="Печать с листом ознакомления"
        component="a"
        href={apiUrl('GET /regulations/model/pdf', { query: { id, sheet: '1' } })}
        target="_blank"
        rel="noopener"
        icon={IconSignature}
      />
      <MenuItem label="Скачать DOCX" icon={IconFileTypeDocx} onClick={() => void save()} />
    </>
  )
}
