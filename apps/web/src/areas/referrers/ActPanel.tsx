import { can } from '@ordinator/model/access'
import { Expense, ExpenseArticle } from '@ordinator/model/areas/expenses/expense'
import { actStates, Referrer, ReferrerAct, ReferrerActLine } from '@ordinator/model/areas/referrers/referrer'
import type { Row } from '@ordinator/model/entity'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { IconCash, IconDownload, IconRefresh, IconSignature, IconX } from '@tabler/icons-react'
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
import { useList } from '#records/reads.ts'
import { useCarry } from '#records/useCarry.ts'

type Act = Row<typeof ReferrerAct>
const ROWS = 500

type Opened = 'spend' | 'annul'

/** An act: its lines, signing, the file, the expense that pays it. */
export function ActPanel({ act }: { act: Act }) {
  const [open, setOpen] = useState<Opened>()
  const { again, carry } = useCarry(ReferrerAct.path, ReferrerActLine.path)
  const lines = useList(ReferrerActLine, { filter: { idAct: act.id }, limit: ROWS }, { forbidden: 'silent' })
  const close = () => setOpen(undefined)
  return (
    <VStack gap={16}>
      <Summary act={act} />
      <Buttons act={act} carry={carry} onOpen={setOpen} />
      {lines.isError ? (
        <ErrorState error={lines.error} onRetry={() => void lines.refetch()} />
      ) : lines.isPending ? (
        <LinesSkeleton lines={4} />
      ) : lines.data.items.length === 0 ? (
        <EmptyState title="Строк нет" text="Оплаченных услуг направленных пациентов до конца этого месяца нет" />
      ) : (
        <Lines lines={lines.data.items} />
      )}
      {open === 'spend' && <SpendDialog act={act} onDone={again} onClose={close} />}
      {open === 'annul' && <AnnulDialog act={act} onDone={again} onClose={close} />}
    </VStack>
  )
}

const Summary = ({ act }: { act: Act }) => (
  <Block framed p={12}>
    <strong>{actStates[act.state]}</strong>: к оплате {formatMoney(act.sum)}
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
)

interface ButtonsProps {
  act: Act
  carry: ReturnType<typeof useCarry>['carry']
  onOpen: (what: Opened) => void
}

function Buttons({ act, carry, onOpen }: ButtonsProps) {
  const { id, state } = act
  const actor = useActor()
  const mayEdit = can(actor, 'create', Referrer)
  return (
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
            onClick={() => void carry('Акт не подписан', () => api('POST /referrer-acts/:id/sign', { params: { id } }))}
          />
        </>
      )}
      {mayEdit && state === 'signed' && act.idExpense === null && (
        <>
          {can(actor, 'create', Expense) && (
            <ActionButton label="Завести расход…" icon={IconCash} onClick={() => onOpen('spend')} />
          )}
          <ActionButton label="Аннулировать…" variant="default" icon={IconX} onClick={() => onOpen('annul')} />
        </>
      )}
    </HStack>
  )
}

const Lines = ({ lines }: { lines: readonly Row<typeof ReferrerActLine>[] }) => (
  <VStack component="ul" gap={4}>
    {lines.map((line) => (
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
)

interface DialogProps {
  act: Act
  onDone: () => Promise<void>
  onClose: () => void
}

const SpendDialog = ({ act, onDone, onClose }: DialogProps) => (
  <FormDialog
    title={`Расход на ${formatMoney(act.sum)}`}
    action="Завести"
    draft={{ idArticle: null as number | null }}
    required={{ idArticle: 'Выберите статью' }}
    send={({ idArticle }) =>
      api('POST /referrer-acts/:id/expense', { params: { id: act.id }, body: { idArticle: idArticle as number } })
    }
    done={onDone}
    onClose={onClose}
  >
    {({ value }) => (
      <>
        <RefSelect to={ExpenseArticle.path} label="Статья расходов" required {...value('idArticle')} />
        <Fine>Дальше расход согласуется и оплачивается на странице «Расходы»</Fine>
      </>
    )}
  </FormDialog>
)

const AnnulDialog = ({ act, onDone, onClose }: DialogProps) => (
  <WordsDialog
    title="Аннулировать акт?"
    label="Почему"
    required
    max={500}
    action="Аннулировать"
    failed="Акт не аннулирован"
    danger
    onClose={onClose}
    run={async (reason) => {
      await api('POST /referrer-acts/:id/annul', { params: { id: act.id }, body: { reason } })
      await onDone()
    }}
  >
    <Fine>Его услуги войдут в следующий акт</Fine>
  </WordsDialog>
)
