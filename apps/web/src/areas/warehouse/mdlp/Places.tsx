import { holds } from '@ordinator/model/access'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { sendBytes } from '#base/sendBytes.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useFileInput } from '#kit/FilePicker.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { TableScroll } from '../TableScroll.tsx'
import { useStock } from '../useCall.ts'
import classes from '../Warehouse.module.css'

export function Places() {
  const found = useStock(['mdlp', 'state'], (signal) => api('GET /mdlp/state', {}, { signal }), [])
  const maySet = holds(useActor(), 'mainSettings')
  const version = found.data?.version ?? '1.37'
  const load = useMutation({
    mutationFn: (file: File) =>
      sendBytes<{ version: string; files: number }>('POST /mdlp/schemas', { query: { version } }, file),
    onError: notifyFailure,
    onSuccess: ({ files }) => {
      notify.success(`Загружено схем: ${files}`)
      void found.refetch()
    },
  })
  const [input, choose] = useFileInput({ onFiles: ([file]) => file && load.mutate(file) })
  if (!found.data) return <LinesSkeleton lines={4} />
  return (
    <section className={classes.part}>
      {input}
      <HStack justify="space-between" wrap mb={12}>
        <span>
          Схемы версии {version}: {found.data.schemas > 0 ? `${found.data.schemas} файлов` : 'не загружены'}
        </span>
        {maySet && (
          <ActionButton
            label="Загрузить архив XSD"
            variant="default"
            icon={IconUpload}
            loading={load.isPending}
            onClick={choose}
          />
        )}
      </HStack>
      <TableScroll label="Места деятельности">
        <table className={classes.table}>
          <thead>
            <tr>
              <th>Склад</th>
              <th>Место деятельности</th>
            </tr>
          </thead>
          <tbody>
            {found.data.places.map((row) => (
              <tr key={row.idWarehouse}>
                <td>{row.name}</td>
                <td>{row.place ?? <Muted>не указано: впишите в настройках склада или филиала</Muted>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  )
}
