import { holds } from '@ordinator/model/access'
import { WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { MdlpCode, MdlpDocument } from '@ordinator/model/areas/warehouse/mdlp'
import { formatMoney } from '@ordinator/model/format'
import { IconCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { ScanField } from '../ScanField.tsx'
import { TableScroll } from '../TableScroll.tsx'
import { useStock } from '../useCall.ts'
import classes from '../Warehouse.module.css'
import type { MdlpRow } from './row.ts'

const toast = { forbidden: 'toast' } as const

/** Codes of a МДЛП document; a pending one is accepted completely, by scanned codes, or rejected. */
export function IncomingPanel({ document, onClose }: { document: MdlpRow; onClose: () => void }) {
  const { id, status } = document
  const go = useGo()
  const cache = useQueryClient()
  const actor = useActor()
  const waits = status === 'incoming' && holds(actor, 'editMdlp')
  const [idWarehouse, setWarehouse] = useState<number | null>(null)
  const [refusing, setRefusing] = useState(false)
  const found = useStock(
    ['mdlp', 'codes', id],
    (signal) => api('GET /mdlp/documents/:id/codes', { params: { id } }, { signal }),
    [MdlpDocument.path],
  )
  const items = found.data?.items ?? []
  const scanned = items.filter((one) => one.scanned).length
  const read = () =>
    Promise.all([MdlpDocument, MdlpCode, WarehouseDocument].map(({ path }) => invalidateRecords(cache, path)))
  const accept = useMutation({
    mutationFn: (only: 'all' | 'scanned') =>
      api(
        'POST /mdlp/documents/:id/accept',
        { params: { id }, body: { only, idWarehouse: idWarehouse as number } },
        toast,
      ),
    onError: notifyFailure,
    onSuccess: async ({ idStockDocument }) => {
      await read()
      notify.success('Поступление создано. Подтверждение ждёт подписи: МДЛП, «Исходящие»')
      void go({ page: 'warehouseDocument', params: { id: idStockDocument } })
    },
  })
  return (
    <Dialog title={`Коды документа ${document.number ?? document.documentId ?? ''}`} size="xl" onClose={onClose}>
      <VStack gap={12}>
        {waits && (
          <>
            <RefSelect
              to="warehouses"
              filter={{ active: true }}
              label="На какой склад"
              required
              value={idWarehouse}
              onChange={setWarehouse}
            />
            <ScanField
              label="Сканируйте пачки или короба"
              onCode={async (code) => {
                const { message } = await api('POST /mdlp/documents/:id/scan', { params: { id }, body: { code } })
                void found.refetch()
                return message
              }}
            />
            <HStack wrap>
              <ActionButton
                label="Принять всё"
                icon={IconCheck}
                disabled={idWarehouse === null}
                loading={accept.isPending}
                onClick={() => accept.mutate('all')}
              />
              <ActionButton
                label={`Принять отсканированное: ${scanned}`}
                variant="default"
                disabled={idWarehouse === null || scanned === 0}
                onClick={() => accept.mutate('scanned')}
              />
              <ActionButton label="Отказаться…" variant="default" color="red" onClick={() => setRefusing(true)} />
            </HStack>
          </>
        )}
        {found.isPending ? (
          <LinesSkeleton lines={5} />
        ) : (
          <TableScroll label="Коды документа" maxHeight={360}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th>SGTIN</th>
                  <th>Товар</th>
                  <th data-number>Цена</th>
                  {waits && <th>Отсканирован</th>}
                </tr>
              </thead>
              <tbody>
                {items.map((one) => (
                  <tr key={one.sgtin}>
                    <td>
                      <code>{one.sgtin}</code>
                      {one.sscc && (
                        <>
                          <br />
                          <Muted>короб {one.sscc}</Muted>
                        </>
                      )}
                    </td>
                    <td className={classes.name}>
                      {one.product ?? <Muted>нет в каталоге: впишите GTIN в карточку товара</Muted>}
                    </td>
                    <td data-number>{one.price === null ? '—' : formatMoney(one.price)}</td>
                    {waits && <td>{one.scanned ? 'да' : <Muted>нет</Muted>}</td>}
                  </tr>
                ))}
              </tbody>
            </table>
          </TableScroll>
        )}
      </VStack>
      {refusing && (
        <WordsDialog
          title="Отказ от приёмки"
          label="Причина"
          required
          max={200}
          danger
          action="Отказаться"
          run={async (reason) => {
            await api('POST /mdlp/documents/:id/refuse', { params: { id }, body: { reason: reason ?? '' } }, toast)
            await read()
            notify.success('Отказ составлен и ждёт подписи: «Исходящие»')
            onClose()
          }}
          onClose={() => setRefusing(false)}
        >
          Поставщик получит отказ по всем кодам документа.
        </WordsDialog>
      )}
    </Dialog>
  )
}
