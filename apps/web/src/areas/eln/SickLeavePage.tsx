import { holds } from '@ordinator/model/access'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { codeText } from '@ordinator/model/areas/eln/codes'
import { isCare, MAX_CARED, MAX_PERIODS, numberText, stepRefusal, workTypes } from '@ordinator/model/areas/eln/rules'
import { CaredPerson, SickLeave, SickPeriod } from '@ordinator/model/areas/eln/sickLeave'
import { User } from '@ordinator/model/areas/staff/user'
import { formatDay } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconCopy, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { CustomerChip } from '#areas/customers/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { RemoveItem } from '#records/RemoveItem.tsx'
import { useList, useRecord } from '#records/reads.ts'
import { PartList } from '#records/registry/PartList.tsx'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { useRemove } from '#records/writes.ts'
import classes from './Eln.module.css'
import { LeaveForm } from './LeaveForm.tsx'
import { LeaveStatus, SfrStateText } from './LeaveStatus.tsx'
import { daysText, type LeaveRow, live, periodText, toast, useCodes, useLeaveState, useReread } from './leave.ts'
import { Periods } from './Periods.tsx'
import { Strip } from './Strip.tsx'
import { Work } from './Work.tsx'

/** Больничный лист: days and signatures, next step, state at the Social Fund. */
export default function SickLeavePage() {
  return (
    <RegistryRecordPage
      entity={SickLeave}
      list={pageByKey('sickLeaves')}
      live={live}
      named={({ lnCode }) => (lnCode ? numberText(lnCode) : undefined)}
      help={({ lnCode, isDuplicate, formerLnCode }) =>
        [lnCode ? 'Больничный лист' : 'Номер дадут при подписи', isDuplicate && `дубликат листа ${formerLnCode}`]
          .filter(Boolean)
          .join(' · ')
      }
      actions={(leave) => <LeaveActions leave={leave} />}
      under={(leave) => <LeaveHead leave={leave} />}
      main={{ label: 'Лист', panel: (leave) => <Board leave={leave} /> }}
      form={() => <LeaveForm />}
      tabs={{
        care: { label: 'Уход', when: ({ reason }) => isCare(reason), panel: ({ id }) => <Care idSickLeave={id} /> },
      }}
    />
  )
}

function LeaveHead({ leave }: { leave: LeaveRow }) {
  const patient = useRecord(Customer, leave.idCustomer, {}, { forbidden: 'silent' })
  const performer = useRecord(User, leave.idDoctor, {}, { forbidden: 'silent' })
  useRevealDelay(patient.isLoading || performer.isLoading)
  return (
    <HStack wrap gap="6px 16px" mb={8}>
      <LeaveStatus status={leave.localStatus} size="lg" />
      <SfrStateText state={leave.stateSfr} />
      {patient.data && <CustomerChip customer={patient.data} />}
      {performer.data && <UserLink user={performer.data} />}
    </HStack>
  )
}

/** The sheet for a doctor's work. */
function Board({ leave }: { leave: LeaveRow }) {
  const actor = useActor()
  const state = useLeaveState(leave.id)
  const periods = useList(
    SickPeriod,
    { filter: { idSickLeave: leave.id }, expand: ['doctor', 'chairman'], sort: 'dateFrom', limit: MAX_PERIODS + 1 },
    { live },
  )
  if (periods.isError) return <ErrorState error={periods.error} onRetry={() => void periods.refetch()} />
  if (state.isError) return <ErrorState error={state.error} onRetry={() => void state.refetch()} />
  if (periods.isPending || state.isPending) return <LinesSkeleton lines={10} />
  const rows = periods.data.items
  const mayEdit = holds(actor, 'editEln') && stepRefusal('change', leave) === undefined
  return (
    <div className={classes.board}>
      <VStack gap={20} miw={0}>
        <Strip periods={rows} aloneUntil={state.data.aloneUntil} workFrom={leave.workFrom} />
        <Periods leave={leave} periods={rows} state={state.data} mayEdit={mayEdit} />
        <Details leave={leave} mseDay={state.data.mseDay} daysAll={state.data.daysAll} />
      </VStack>
      <aside className={classes.aside} aria-label="Ход листа">
        <Work leave={leave} state={state.data} />
      </aside>
    </div>
  )
}

/** Data of the sheet as text; edited on the next tab. */
function Details({ leave, mseDay, daysAll }: { leave: LeaveRow; mseDay: string | null; daysAll: number }) {
  const codes = useCodes(leave.dateIssue)
  const days = (from: string | null, to: string | null) => from && to && periodText(from, to)
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    ['Место работы', leave.employer && `${leave.employer}, ${workTypes[leave.workType].toLowerCase()}`],
    ['Причина', codeText(codes?.reason, leave.reason)],
    ['Дополнительный код', codeText(codes?.reasonAdd, leave.reasonAdd)],
    ['Причина изменилась', codeText(codes?.reason, leave.reasonNext)],
    ['Диагноз', leave.diagnosis],
    ['Выдан', leave.dateIssue && `${formatDay(leave.dateIssue)}, ${leave.isPrimary ? 'первичный' : 'продолжение'}`],
    [
      'Продолжение листа',
      leave.prevLnCode &&
        (leave.idPrevious ? (
          <PageLink page="sickLeave" params={{ id: leave.idPrevious }}>
            {numberText(leave.prevLnCode)}
          </PageLink>
        ) : (
          numberText(leave.prevLnCode)
        )),
    ],
    ['Всего дней', daysAll > 0 && daysText(daysAll)],
    ['На учёте с ранних сроков', leave.isPregnancy12w && 'да'],
    ['Предполагаемые роды', leave.birthPlanned && formatDay(leave.birthPlanned)],
    ['В стационаре', days(leave.hospitalFrom, leave.hospitalTo)],
    [
      'Нарушение режима',
      leave.breachCode &&
        `${codeText(codes?.breach, leave.breachCode)}, ${leave.breachDate ? formatDay(leave.breachDate) : ''}`,
    ],
    [
      'МСЭ',
      leave.mseSent ? `направлен ${formatDay(leave.mseSent)}` : mseDay && `направить не позже ${formatDay(mseDay)}`,
    ],
    ['Приступить к работе', leave.workFrom && formatDay(leave.workFrom)],
    ['Иное', codeText(codes?.result, leave.resultCode)],
    ['Следующий лист', leave.nextLnCode && numberText(leave.nextLnCode)],
  ]
  return (
    <section aria-label="Данные листа">
      <HStack justify="space-between" wrap>
        <h2 className={classes.title}>Данные листа</h2>
        <PageLink page="sickLeave" params={{ id: leave.id }} search={{ tab: 'data' }}>
          Изменить
        </PageLink>
      </HStack>
      <dl className={classes.facts}>
        {facts
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

const Care = ({ idSickLeave }: { idSickLeave: number }) => (
  <PartList
    entity={CaredPerson}
    of={{ idSickLeave }}
    title={`За кем уход, до ${MAX_CARED} человек`}
    fields={['fio', 'birthday', 'snils', 'relation', 'reason', 'diagnosis', 'dateFrom', 'dateTo']}
    face={({ fio, birthday, relation, dateFrom, dateTo }) => (
      <>
        <strong>{fio}</strong>
        <Fine>
          {' '}
          {[birthday, relation && `код ${relation}`, dateFrom && dateTo && periodText(dateFrom, dateTo)]
            .filter(Boolean)
            .join(' · ')}
        </Fine>
      </>
    )}
  />
)

/** Rare actions on the whole sheet. */
function LeaveActions({ leave }: { leave: LeaveRow }) {
  const { id, lnCode } = leave
  const go = useGo()
  const reread = useReread()
  const mayEdit = holds(useActor(), 'editEln')
  const [asking, setAsking] = useState<'duplicate' | 'cancel'>()
  const remove = useRemove(SickLeave, { message: 'Лист удалён' })
  return (
    <>
      <PrintMenu entity="eln" id={id} />
      {mayEdit && (
        <ActionMenu label="Другие действия" variant="default" width={260}>
          {stepRefusal('duplicate', leave) === undefined && (
            <MenuItem label="Выдать дубликат…" icon={IconCopy} onClick={() => setAsking('duplicate')} />
          )}
          {stepRefusal('cancel', leave) === undefined && (
            <MenuItem label="Прекратить действие…" danger icon={IconX} onClick={() => setAsking('cancel')} />
          )}
          <RemoveItem
            entity={SickLeave}
            row={leave}
            label="Удалить черновик"
            onRemove={() => remove.mutate(id, { onSuccess: () => void go({ page: 'sickLeaves' }, { replace: true }) })}
          />
        </ActionMenu>
      )}
      {asking === 'duplicate' && (
        <WordsDialog
          title={`Дубликат листа ${lnCode ?? ''}`}
          label="Почему нужен дубликат"
          action="Выдать дубликат"
          onClose={() => setAsking(undefined)}
          run={async (reason) => {
            const made = await api('POST /eln/:id/duplicate', { params: { id }, body: { reason } }, toast)
            await reread()
            void go({ page: 'sickLeave', params: { id: made.id } })
          }}
        />
      )}
      {asking === 'cancel' && (
        <WordsDialog
          title="Прекратить действие листа"
          label="Причина"
          action="Прекратить"
          onClose={() => setAsking(undefined)}
          run={async (reason) => {
            await api('POST /eln/:id/cancel', { params: { id }, body: { reason, _version: leave._version } }, toast)
            await reread()
            notify.success('Отправлено в СФР')
          }}
        />
      )}
    </>
  )
}
