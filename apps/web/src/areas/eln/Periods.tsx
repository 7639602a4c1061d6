import { Menu, TextInput } from '@mantine/core'
import { byDays, daysOf, MAX_PERIODS } from '@ordinator/model/areas/eln/rules'
import { SickPeriod } from '@ordinator/model/areas/eln/sickLeave'
import { User } from '@ordinator/model/areas/staff/user'
import { formatDay } from '@ordinator/model/format'
import { messages } from '@ordinator/model/messages'
import { IconCalendarPlus, IconCheck, IconPencil, IconPointFilled, IconSignature, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { recordsWith } from '#base/client.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useRemove } from '#records/writes.ts'
import classes from './Eln.module.css'
import {
  daysText,
  isBeingChanged,
  isBeingSigned,
  type LeaveRow,
  type LeaveState,
  type PartState,
  type PeriodRow,
  spanText,
  toast,
  useReread,
} from './leave.ts'

interface Props {
  leave: LeaveRow
  periods: readonly PeriodRow[]
  state: LeaveState | undefined
  /** The sheet can be edited now. */
  mayEdit: boolean
}

/** Periods of a sheet with doctor, commission and signatures. */
export function Periods({ leave, periods, state, mayEdit }: Props) {
  const [asking, setAsking] = useState<PeriodRow | 'new'>()
  const remove = useRemove(SickPeriod, { message: 'Период удалён' })
  const rows = byDays(periods)
  const part = (key: string) => (isBeingSigned(leave, state) ? state?.parts.find((one) => one.key === key) : undefined)
  const faultsAt = (at: number) =>
    isBeingChanged(leave) ? (state?.faults.filter(({ period }) => period === at) ?? []) : []
  const add = mayEdit && !leave.isClosed && rows.length < MAX_PERIODS && (
    <ActionButton
      label={rows.length ? 'Продлить' : 'Добавить период'}
      icon={IconCalendarPlus}
      variant={rows.length ? 'default' : 'filled'}
      onClick={() => setAsking('new')}
    />
  )
  return (
    <section aria-label="Периоды">
      <HStack justify="space-between" wrap mb={8}>
        <h2 className={classes.title}>Периоды</h2>
        {add}
      </HStack>
      {rows.length === 0 ? (
        <Muted>Добавьте, с какого по какой день пациент нетрудоспособен.</Muted>
      ) : (
        <ol className={classes.periods}>
          {rows.map((one, at) => (
            <li key={one.id} className={classes.period} data-period={at}>
              <div className={classes.span}>
                <b className="tabular nowrap">{spanText(one.dateFrom, one.dateTo)}</b>
                <Fine>
                  {daysText(daysOf(one.dateFrom, one.dateTo))}
                  {one.isAccepted && ' · принят СФР'}
                </Fine>
              </div>
              <Signer label="Врач" part={part(`period:${one.id}`)}>
                {one.doctor && <UserLink user={one.doctor} />}
              </Signer>
              {one.chairman ? (
                <Signer
                  label={one.protocolNumber ? `ВК, протокол ${one.protocolNumber}` : 'Председатель ВК'}
                  part={part(`chairman:${one.id}`)}
                >
                  <UserLink user={one.chairman} />
                </Signer>
              ) : (
                <span />
              )}
              {mayEdit && !one.isAccepted ? (
                <ActionMenu label={`Период с ${formatDay(one.dateFrom)}`} variant="subtle">
                  <MenuItem label="Изменить…" icon={IconPencil} onClick={() => setAsking(one)} />
                  <Menu.Divider />
                  <MenuItem label="Удалить" danger icon={IconTrash} onClick={() => remove.mutate(one.id)} />
                </ActionMenu>
              ) : (
                <span />
              )}
              {faultsAt(at).map(({ field, message, level, idOther }) => (
                <p key={field + message} className={classes.fault} data-level={level}>
                  {message}
                  {idOther !== undefined && (
                    <>
                      {' '}
                      <PageLink page="sickLeave" params={{ id: idOther }}>
                        Открыть
                      </PageLink>
                    </>
                  )}
                </p>
              ))}
            </li>
          ))}
        </ol>
      )}
      {asking && (
        <PeriodDialog
          leave={leave}
          period={asking === 'new' ? undefined : asking}
          last={rows.at(-1)}
          state={state}
          onClose={() => setAsking(undefined)}
        />
      )}
    </section>
  )
}

function Signer({ label, part, children }: { label: string; part: PartState | undefined; children: React.ReactNode }) {
  const isSigned = part?.state === 'valid' || part?.state === 'unchecked'
  return (
    <div className={classes.signer}>
      <Fine>{label}</Fine>
      <span>{children}</span>
      {part && (
        <Fine className={isSigned ? classes.signed : part.state === 'stale' ? classes.stale : undefined}>
          <HStack component="span" gap={4} display="inline-flex">
            {isSigned ? (
              <IconCheck size={14} />
            ) : part.state === 'stale' ? (
              <IconPointFilled size={14} />
            ) : (
              <IconSignature size={14} />
            )}
            {isSigned ? 'подписано' : part.state === 'stale' ? 'подписать заново' : 'не подписано'}
          </HStack>
        </Fine>
      )}
    </div>
  )
}

interface DialogProps {
  leave: LeaveRow
  period: PeriodRow | undefined
  last: PeriodRow | undefined
  state: LeaveState | undefined
  onClose: () => void
}

const asked = recordsWith(toast)

/** Creates a period starting after the last one, or edits one. */
export function PeriodDialog({ leave, period, last, state, onClose }: DialogProps) {
  const reread = useReread()
  const fixedFrom = period ? undefined : (state?.nextStart ?? undefined)
  const [dateFrom, setFrom] = useState<string | null>(period?.dateFrom ?? fixedFrom ?? today())
  const [dateTo, setTo] = useState<string | null>(period?.dateTo ?? null)
  const [idDoctor, setDoctor] = useState<number | null>(period?.idDoctor ?? last?.idDoctor ?? leave.idDoctor)
  const [idChairman, setChairman] = useState<number | null>(period?.idChairman ?? null)
  const [protocolNumber, setNumber] = useState(period?.protocolNumber ?? '')
  const [protocolDate, setDate] = useState<string | null>(period?.protocolDate ?? null)
  const until = state?.aloneUntil ?? null
  const needs = until !== null && dateTo !== null && dateTo > until
  return (
    <ActionDialog
      title={period ? 'Период' : last ? 'Продление' : 'Первый период'}
      action={period ? 'Сохранить' : last ? 'Продлить' : 'Добавить'}
      faults={{
        dateFrom: !dateFrom && messages.required,
        dateTo: !dateTo ? messages.required : dateFrom !== null && dateTo < dateFrom && 'Раньше, чем начинается',
        idDoctor: !idDoctor && messages.required,
      }}
      onClose={onClose}
      run={async () => {
        const values = {
          ...{ dateFrom: dateFrom as string, dateTo: dateTo as string, idDoctor: idDoctor as number, idChairman },
          ...{ protocolNumber: protocolNumber.trim() || null, protocolDate },
        }
        if (period) await asked.update(SickPeriod, period.id, { ...values, _version: period._version })
        else await asked.create(SickPeriod, { ...values, idSickLeave: leave.id })
        await reread()
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <HStack gap={12} align="flex-start" wrap>
            <DateField
              label="С"
              required
              readOnly={fixedFrom !== undefined}
              description={fixedFrom && 'Назавтра после предыдущего'}
              value={dateFrom}
              error={errorOf('dateFrom')}
              onChange={setFrom}
            />
            <DateField
              label="По"
              required
              value={dateTo}
              min={dateFrom ?? undefined}
              error={errorOf('dateTo')}
              onChange={setTo}
            />
          </HStack>
          {dateFrom && dateTo && dateTo >= dateFrom && (
            <Fine>
              {daysText(daysOf(dateFrom, dateTo))}
              {until && until < '9000' && ` · врач один — по ${formatDay(until)}`}
            </Fine>
          )}
          <RefSelect
            to={User.path}
            label="Лечащий врач"
            required
            value={idDoctor}
            error={errorOf('idDoctor')}
            onChange={setDoctor}
          />
          <RefSelect
            to={User.path}
            label="Председатель ВК"
            description={needs ? 'Нужен: срок врача кончился' : 'Нужен, когда срок врача кончился'}
            value={idChairman}
            error={errorOf('idChairman')}
            onChange={setChairman}
          />
          {idChairman !== null && (
            <HStack gap={12} align="flex-start" wrap>
              <TextInput
                label="Протокол ВК №"
                maxLength={40}
                value={protocolNumber}
                onChange={(event) => setNumber(event.currentTarget.value)}
              />
              <DateField label="Дата протокола" value={protocolDate} onChange={setDate} />
            </HStack>
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}
