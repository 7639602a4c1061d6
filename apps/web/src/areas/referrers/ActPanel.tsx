import { can } from '@ordinator/model/access'
import { Expense, ExpenseArticle } from '@ordinator/model/areas/expenses/expense'
import { actStates, Referrer, ReferrerAct, ReferrerActLine } from '@ordinator/model/areas/referrers/referrer'
import type { Row } from '@ordinator/model/entity'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { IconCash, IconDownload, IconRefresh, IconSignature, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PrintMenu } from '#areas/prints/index.ts'
import { api, apiUrl } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { saveFile } from '#base/saveFile.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyTitledFailure } from '#records/notifyFailure.ts'
import { useList } from '#records/reads.ts'

type Act = Row<typeof ReferrerAct>
const ROWS = 500

/** An act: its lines, signing, the file, the expense that pays it. */
export function ActPanel({ act }: { act: Act }) {
  const { id, state } = act
  const actor = useActor()
  const cache = useQueryClient()
  const mayEdit = can(actor, 'create', Referrer)
  const [open, setOpen] = useState<'spend' | 'annul'>()
  const lines = useList(ReferrerActLine, { filter: { idAct: id }, limit: ROWS }, { forbidden: 'silent' })
  const again = async () => {
    await invalidateRecords(cache, ReferrerAct.path)
    await invalidateRecords(cache, ReferrerActLine.path)
  }
  const carry = async (title: string, work: () => Promise<unknown>) => {
    try {
      await work()
      await again()
    } catch (error) {
      notifyTitledFailure(title, error)
    }
  }
  return (
    <VStack gap={16}>
      <Block framed p={12}>
        <strong>{actStates[state]}</strong>: к оплате {formatMoney(act.sum)}
        <Fine component="div">
          Оплачено {formatMoney(act.paid)}
          {act.idExpense !== null && (
            <>
              {' · '}
              <PageLink page="expenses" search={{ open: act.idExpense }}>
                расход № {act.idExpense}
              </PageLink>
            </>
          )}
          {act.reason && ` · ${act.reason}`}
        </Fine>
      </Block>
      <HStack wrap>
        <ActionButton
          label="XLSX"
          variant="default"
          icon={IconDownload}
          onClick={() =>
            void saveFile(apiUrl('GET /referrer-acts/:id/file', { params: { id } }), `Акт ${act.number}.xlsx`)
          }
        />
        {state === 'signed' && <PrintMenu entity={ReferrerAct.path} id={id} label="Акт" />}
        {mayEdit && state === 'draft' && (
          <>
            <ActionButton
              label="Собрать заново"
              variant="default"
              icon={IconRefresh}
              onClick={() =>
                void carry('Акт не собран', () =>
                  api('POST /referrer-acts/collect', { body: { idReferrer: act.idReferrer, month: act.month } }),
                )
              }
            />
            <ActionButton
              label="Подписан"
              icon={IconSignature}
              disabled={act.sum <= 0}
              onClick={() =>
                void carry('Акт не подписан', () => api('POST /referrer-acts/:id/sign', { params: { id } }))
              }
            />
          </>
        )}
        {mayEdit && state === 'signed' && act.idExpense === null && (
          <>
            {can(actor, 'create', Expense) && (
              <ActionButton label="Завести расход…" icon={IconCash} onClick={() => setOpen('spend')} />
            )}
            <ActionButton label="Аннулировать…" variant="default" icon={IconX} onClick={() => setOpen('annul')} />
          </>
        )}
      </HStack>
      {lines.isError ? (
        <ErrorState error={lines.error} onRetry={() => void lines.refetch()} />
      ) : lines.isPending ? (
        <LinesSkeleton lines={4} />
      ) : lines.data.items.length === 0 ? (
        <EmptyState title="Строк нет" text="Оплаченных услуг направленных пациентов до конца этого месяца нет" />
      ) : (
        <VStack component="ul" gap={4}>
          {lines.data.items.map((line) => (
            <HStack key={line.id} component="li" framed px={12} py={6} gap={12} justify="space-between" wrap>
              <Block grow miw={200} className="breaks">
                {line.name}
                <Fine component="div">
                  {formatDay(line.localDate)} ·{' '}
                  <PageLink page="calendar" search={{ visit: line.idAppointment }}>
                    визит № {line.idAppointment}
                  </PageLink>{' '}
                  · оплачено {formatMoney(line.base)} · {line.rate}
                  {line.isCorrection && ' · исправление прежнего акта'}
                </Fine>
              </Block>
              <span className="tabular nowrap">{formatMoney(line.sum)}</span>
            </HStack>
          ))}
        </VStack>
      )}
      {open === 'spend' && (
        <FormDialog
          title={`Расход на ${formatMoney(act.sum)}`}
          action="Завести"
          draft={{ idArticle: null as number | null }}
          required={{ idArticle: 'Выберите статью' }}
          send={({ idArticle }) =>
            api('POST /referrer-acts/:id/expense', { params: { id }, body: { idArticle: idArticle as number } })
          }
          done={again}
          onClose={() => setOpen(undefined)}
        >
          {({ value }) => (
            <>
              <RefSelect to={ExpenseArticle.path} label="Статья расходов" required {...value('idArticle')} />
              <Fine>Дальше расход согласуется и оплачивается на странице «Расходы»</Fine>
            </>
          )}
        </FormDialog>
      )}
      {open === 'annul' && (
        <WordsDialog
          title="Аннулировать акт?"
          label="Почему"
          required
          max={500}
          action="Аннулировать"
          failed="Акт не аннулирован"
          danger
          onClose={() => setOpen(undefined)}
          run={async (reason) => {
            await api('POST /referrer-acts/:id/annul', { params: { id }, body: { reason } })
            await again()
          }}
        >
          <Fine>Его услуги войдут в следующий акт</Fine>
        </WordsDialog>
      )}
    </VStack>
  )
}
