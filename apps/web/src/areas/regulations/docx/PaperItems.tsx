import { Menu } from '@mantine/core'
import { IconFileTypeDocx, IconPrinter, IconSignature } from '@tabler/icons-react'
import { apiUrl } from '../../../base/api.ts'
import { download } from '../../../base/http.ts'
import { toastFailed } from '../toasts.ts'
import type { ViewPartProps } from '../view/ViewPartProps.ts'

/** The regulation on paper: to be printed, or as a document of Word. */
export function PaperItems({ view: { id, name } }: ViewPartProps) {
  const save = () =>
    download(apiUrl('GET /regulations/model/docx', { query: { id } }), `${name}.docx`).catch((error: unknown) =>
      toastFailed('Ошибка при загрузке данных', error),
    )
  return (
    <>
      <Menu.Item
        component="a"
        href={apiUrl('GET /regulations/model/pdf', { query: { id } })}
        target="_blank"
        rel="noopener"
        leftSection={<IconPrinter size={16} />}
      >
        Печать
      </Menu.Item>
      <Menu.Item
        component="a"
        href={apiUrl('GET /regulations/model/pdf', { query: { id, sheet: '1' } })}
        target="_blank"
        rel="noopener"
        leftSection={<IconSignature size={16} />}
      >
        Печать с листом ознакомления
      </Menu.Item>
      <Menu.Item leftSection={<IconFileTypeDocx size={16} />} onClick={() => void save()}>
        Скачать DOCX
      </Menu.Item>
    </>
  )
}
