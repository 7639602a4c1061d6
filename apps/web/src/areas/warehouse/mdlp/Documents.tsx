import { VisuallyHidden } from '@mantine/core'
import { MdlpDocument, mdlpSchemaWords, recalledBy250 } from '@ordinator/model/areas/warehouse/mdlp'
import { formatDay } from '@ordinator/model/format'
import { IconSignature } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { MoreRows } from '#kit/LoadMore.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useEndlessList } from '#records/reads.ts'
import { TableScroll } from '../TableScroll.tsx'
import classes from '../Warehouse.module.css'
import { MdlpMark } from '../words.tsx'
import { IncomingPanel } from './IncomingPanel.tsx'
import type { MdlpRow } from './row.ts'

/** Cancels our documents that МДЛП has not accepted; some accepted ones can be reversed by 250. */
const mayRecall = ({ direction, status, schema }: MdlpRow): boolean =>
  direction === 'out' &&
  (['draft', 'device', 'failed'].includes(status) ||
    (['processed', 'partial'].includes(status) && recalledBy250.has(schema)))

interface DocumentsProps {
  direction: 'in' | 'out'
  mayEdit: boolean
  onSign: (ids: readonly number[]) => void
}

export function Documents({ direction, mayEdit, onSign }: DocumentsProps) {
  const cache = useQueryClient()
  const [open, setOpen] = useState<MdlpRow>()
  const [recalled, setRecalled] = useState<MdlpRow>()
  const list = useEndlessList(MdlpDocument, { filter: { direction }, sort: '-dateCreate', limit: 50 })
  const retry = useMutation({
    mutationFn: (id: number) => api('POST /mdlp/documents/:id/retry', { params: { id } }, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSuccess: () => invalidateRecords(cache, MdlpDocument.path),
  })
  const unsigned = mayEdit ? list.items.filter(({ status }) => status === 'draft').map(({ id }) => id) : []
  if (list.isError && list.items.length === 0)
    return <ErrorState title="Документы не загрузились" error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <LinesSkeleton lines={6} />
  if (list.items.length === 0)
    return (
      <EmptyState
        title="Документов пока нет"
        text={
          direction === 'in'
            ? 'Уведомления об отгрузке приходят сами раз в минуту.'
            : 'Откройте проведённый складской документ и выберите «Сообщить в МДЛП».'
        }
      />
    )
  return (
    <section className={classes.part}>
      {unsigned.length > 1 && (
        <HStack justify="space-between" wrap mb={12}>
          <span>Ждут подписи: {unsigned.length}</span>
          <ActionButton label="Подписать все" icon={IconSignature} onClick={() => onSign(unsigned)} />
        </HStack>
      )}
      <TableScroll label="Документы">
        <table className={`${classes.table} ${classes.stack}`}>
          <thead>
            <tr>
              <th>Документ</th>
              <th>{direction === 'in' ? 'От кого' : 'Кому'}</th>
              <th data-number>Кодов</th>
              <th>Статус</th>
              <th>
                <VisuallyHidden>Действия</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {list.items.map((row) => (
              <tr key={row.id}>
                <td className={classes.name}>
                  {mdlpSchemaWords[row.schema]}
                  <br />
                  <Muted>
                    {row.schema} · {row.number ? `№ ${row.number}` : 'без номера'}
                    {row.docDate ? ` от ${formatDay(row.docDate)}` : ''} · {formatDateTime(row.dateCreate)}
                  </Muted>
                  {row.errors?.slice(0, 3).map(({ message, sgtin }) => (
                    <Fine key={message + (sgtin ?? '')} component="div" c="var(--mantine-color-error)">
                      {sgtin ? `${sgtin}: ` : ''}
                      {message}
                    </Fine>
                  ))}
                </td>
                <td data-label={direction === 'in' ? 'От кого' : 'Кому'}>{row.partner ?? '—'}</td>
                <td data-number data-label="Кодов">
                  {row.codesCount}
                </td>
                <td>
                  <MdlpMark status={row.status} />
                </td>
                <td data-number>
                  {row.status === 'incoming' ? (
                    <ActionButton label="Разобрать" size="xs" onClick={() => setOpen(row)} />
                  ) : (
                    <HStack gap={6} justify="end">
                      {mayEdit && row.status === 'draft' && (
                        <ActionButton label="Подписать" size="xs" onClick={() => onSign([row.id])} />
                      )}
                      {mayEdit && row.direction === 'out' && ['failed', 'stuck'].includes(row.status) && (
                        <ActionButton
                          label="Повторить"
                          size="xs"
                          variant="default"
                          onClick={() => retry.mutate(row.id)}
                        />
                      )}
                      {mayEdit && mayRecall(row) && (
                        <ActionButton
                          label="Отменить…"
                          reverse
                          size="xs"
                          variant="default"
                          onClick={() => setRecalled(row)}
                        />
                      )}
                      <ActionButton label="Коды" size="xs" variant="default" onClick={() => setOpen(row)} />
                    </HStack>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      <MoreRows list={list} />
      {open && <IncomingPanel document={open} onClose={() => setOpen(undefined)} />}
      {recalled && (
        <WordsDialog
          title="Отменить документ МДЛП"
          label="Причина"
          required
          max={200}
          danger
          action="Отменить документ"
          run={async (reason) => {
            const { id } = await api('POST /mdlp/documents/:id/recall', {
              params: { id: recalled.id },
              body: { reason },
            })
            await invalidateRecords(cache, MdlpDocument.path)
            onSign([id])
          }}
          onClose={() => setRecalled(undefined)}
        >
          {mdlpSchemaWords[recalled.schema]}, № {recalled.number ?? 'без номера'}:{' '}
          {['processed', 'partial'].includes(recalled.status)
            ? 'уйдёт отмена 250, и МДЛП вернёт коды на прежнее место.'
            : 'МДЛП его не принял, коды останутся как были.'}
        </WordsDialog>
      )}
    </section>
  )
}
