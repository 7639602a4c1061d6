import { holds } from '@ordinator/model/access'
import { WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { MdlpDocument, mdlpStatuses } from '@ordinator/model/areas/warehouse/mdlp'
import {
  IconArrowBackUp,
  IconCheck,
  IconCopy,
  IconFileImport,
  IconQrcode,
  IconTruckDelivery,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PrintMenu } from '#areas/prints/index.ts'
import { useGo } from '#base/address.ts'
import type { Answer } from '#base/api.ts'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { sendBytes } from '#base/sendBytes.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { confirm } from '#kit/confirm.ts'
import { useFileInput } from '#kit/FilePicker.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RemoveItem } from '#records/RemoveItem.tsx'
import { useRemove } from '#records/writes.ts'
import { DestructionDialog } from '../mdlp/DestructionDialog.tsx'
import { SignDialog } from '../mdlp/SignDialog.tsx'
import type { DocumentRow } from './row.ts'

const toast = { forbidden: 'toast' } as const
type Imported = Answer<'POST /warehouse/documents/:id/import'>

/** Actions on the whole document. */
export function DocumentActions({ document }: { document: DocumentRow }) {
  const { id, kind, status, _version } = document
  const go = useGo()
  const cache = useQueryClient()
  const actor = useActor()
  const mayEdit = holds(actor, 'editWarehouse')
  const read = () => invalidateRecords(cache, WarehouseDocument.path)
  const remove = useRemove(WarehouseDocument, { message: 'Черновик удалён' })
  const post = useMutation({
    mutationFn: ({ accept = false, sure = false }: { accept?: boolean; sure?: boolean }) =>
      api('POST /warehouse/documents/:id/post', { params: { id }, body: { accept, sure, _version } }, toast),
    onError: async (error, { accept = false }) => {
      if (!(error instanceof ApiError) || error.code !== 'doubtful') return showAllErrors(error)
      const sure = await confirm({
        title: 'Провести всё равно?',
        message: errorMessage(error),
        confirm: 'Провести',
      })
      if (sure) post.mutate({ accept, sure })
    },
    onSuccess: async (row) => {
      await read()
      notify.success(row.status === 'inTransit' ? 'Отправлено: в пути до приёмки' : `Проведён, № ${row.number}`)
    },
  })
  const accept = useMutation({
    mutationFn: () => api('POST /warehouse/documents/:id/accept', { params: { id }, body: {} }, toast),
    onError: showAllErrors,
    onSuccess: async () => {
      await read()
      notify.success('Перемещение принято')
    },
  })
  const unpost = useMutation({
    mutationFn: (draft: boolean) =>
      api('POST /warehouse/documents/:id/unpost', { params: { id }, body: { draft } }, toast),
    onError: showAllErrors,
    onSuccess: async (row) => {
      await read()
      notify.success(row.status === 'draft' ? 'Снова черновик' : 'Проведение отменено')
    },
  })
  const copy = useMutation({
    mutationFn: () => api('POST /warehouse/documents/:id/copy', { params: { id } }, toast),
    onError: notifyFailure,
    onSuccess: async (row) => {
      await read()
      void go({ page: 'warehouseDocument', params: { id: row.id } })
    },
  })
  const mdlp = useMutation({
    mutationFn: () => api('POST /warehouse/documents/:id/mdlp', { params: { id }, body: {} }, toast),
    onError: showAllErrors,
    onSuccess: async (made) => {
      await invalidateRecords(cache, MdlpDocument.path)
      if (made.status === 'draft') setSigned(made.id)
      else notify.success(`МДЛП: ${mdlpStatuses[made.status].toLowerCase()}`)
    },
  })
  const [signed, setSigned] = useState<number>()
  const [destroys, setDestroys] = useState(false)
  const load = useMutation({
    mutationFn: (file: File) =>
      sendBytes<Imported>('POST /warehouse/documents/:id/import', { params: { id }, query: { name: file.name } }, file),
    onError: showAllErrors,
    onSuccess: async ({ added, unmatched, remarks }) => {
      await read()
      notify.success(`Загружено строк: ${added}${unmatched ? `, выберите товар у ${unmatched}` : ''}`)
      for (const remark of remarks.slice(0, 3)) notify.info(remark)
    },
  })
  const [input, choose] = useFileInput({ onFiles: ([file]) => file && load.mutate(file) })
  useHotkey('mod+enter', () => post.mutate({}), {
    label: 'Провести документ',
    group: 'Документ',
    enabled: mayEdit && status === 'draft',
  })
  return (
    <>
      {input}
      {mayEdit && status === 'draft' && kind !== 'inventory' && (
        <>
          <ActionButton
            label="Загрузить файл"
            variant="default"
            icon={IconFileImport}
            loading={load.isPending}
            onClick={choose}
          />
          <ActionButton
            label={kind === 'transfer' ? 'Отправить' : 'Провести'}
            icon={IconCheck}
            loading={post.isPending}
            onClick={() => post.mutate({})}
          />
        </>
      )}
      {mayEdit && status === 'inTransit' && (
        <ActionButton
          label="Принять"
          icon={IconTruckDelivery}
          loading={accept.isPending}
          onClick={() => accept.mutate()}
        />
      )}
      <PrintMenu entity={WarehouseDocument.path} id={id} />
      {mayEdit && (
        <ActionMenu label="Ещё" width={260}>
          {kind === 'transfer' && status === 'draft' && (
            <MenuItem label="Провести и сразу принять" icon={IconCheck} onClick={() => post.mutate({ accept: true })} />
          )}
          <MenuItem label="Скопировать" icon={IconCopy} onClick={() => copy.mutate()} />
          {['posted', 'inTransit'].includes(status) && holds(actor, 'editMdlp') && (
            <MenuItem label="Сообщить в МДЛП" icon={IconQrcode} onClick={() => mdlp.mutate()} />
          )}
          {kind === 'writeOff' && status === 'posted' && holds(actor, 'editMdlp') && (
            <MenuItem label="Передать на уничтожение…" icon={IconQrcode} onClick={() => setDestroys(true)} />
          )}
          {['posted', 'inTransit'].includes(status) && (
            <MenuItem
              label="Исправить: вернуть в черновик"
              icon={IconArrowBackUp}
              onClick={() => unpost.mutate(true)}
            />
          )}
          {status === 'cancelled' && (
            <MenuItem label="Вернуть в черновик" icon={IconArrowBackUp} onClick={() => unpost.mutate(true)} />
          )}
          {['posted', 'inTransit'].includes(status) && (
            <MenuItem
              label="Отменить проведение"
              danger
              icon={IconArrowBackUp}
              onClick={async () => {
                if (
                  await confirm({
                    title: 'Отменить проведение?',
                    message: 'Остатки вернутся обратными движениями, документ останется отменённым.',
                    confirm: 'Отменить проведение',
                    danger: true,
                  })
                )
                  unpost.mutate(false)
              }}
            />
          )}
          {status === 'draft' && (
            <RemoveItem
              entity={WarehouseDocument}
              row={document}
              onRemove={() => remove.mutate(id, { onSuccess: () => void go({ page: 'warehouseDocuments' }) })}
            />
          )}
        </ActionMenu>
      )}
      {destroys && <DestructionDialog id={id} onMade={setSigned} onClose={() => setDestroys(false)} />}
      {signed !== undefined && (
        <SignDialog
          ids={[signed]}
          onDone={() => notify.success('Документ подписан и в очереди МДЛП')}
          onClose={() => setSigned(undefined)}
        />
      )}
    </>
  )
}

/** Shows all errors by line, not only the first. */
function showAllErrors(error: Error): void {
  const all = error instanceof ApiError ? Object.values(error.byField) : []
  if (all.length < 2) notifyFailure(error)
  else notify.error(`${all.slice(0, 6).join('; ')}${all.length > 6 ? ` и ещё ${all.length - 6}` : ''}`)
}
