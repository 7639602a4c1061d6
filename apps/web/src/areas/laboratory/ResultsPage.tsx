import { Badge, SegmentedControl, Select, Textarea, TextInput, Tooltip } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import type { MatrixAnalyte, MatrixCell, MatrixRow } from '@ordinator/model/areas/laboratory/calls'
import { LabDevice } from '@ordinator/model/areas/laboratory/device'
import { valueWords } from '@ordinator/model/areas/laboratory/values'
import { sections, type Urgency, urgencies } from '@ordinator/model/areas/laboratory/words'
import { counted } from '@ordinator/model/format'
import { messages } from '@ordinator/model/messages'
import { pageByKey } from '@ordinator/model/pages'
import {
  IconCheck,
  IconChecks,
  IconCircleDashed,
  IconEdit,
  IconHistory,
  IconPhoneCall,
  IconRefresh,
  IconShieldLock,
} from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useAddress } from '#base/address.ts'
import { id, text, word } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { retries } from '#records/reads.ts'
import { tellFailure } from '#records/tellFailure.ts'
import { CallDialog } from './CriticalAlert.tsx'
import { HistoryDialog } from './HistoryDialog.tsx'
import classes from './Laboratory.module.css'
import { labKey, laboratoryLive, readLaboratory } from './reads.ts'
import { FlagMark } from './words.tsx'

const page = pageByKey('labResults')
const stages = { all: 'Все', enter: 'Ввести', technical: 'Проверить', medical: 'Подтвердить' } as const
type Stage = keyof typeof stages
const readAddress = (search: Search) => ({
  section: word(sections, search.section),
  device: id(search.device),
  urgency: word(urgencies, search.urgency),
  stage: word(stages, search.stage),
  q: text(search.q),
})

type Cell = MatrixRow['cells'][string]

/** Результаты: a matrix of patients and analytes, operable by keyboard only. */
export default function ResultsPage() {
  const [{ section, device, urgency, stage = 'all', q = '' }, setAddress] = useAddress(readAddress)
  const actor = useActor()
  const cache = useQueryClient()
  const [sought, setSought] = useState(q)
  const answer = useQuery({
    queryKey: [labKey, 'matrix', section, device, urgency, stage, q],
    queryFn: ({ signal }) =>
      api(
        'GET /laboratory/results/matrix',
        {
          query: {
            stage,
            ...(section && { section }),
            ...(device && { idDevice: device }),
            ...(urgency && { urgency }),
            ...(q && { search: q }),
          },
        },
        { signal },
      ),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: [...laboratoryLive, 'laboratory/control-runs'] },
  })
  const mayEnter = allowed(actor, 'enterLabResults')
  const mayApprove = allowed(actor, 'approveLabResults')
  const cells = (answer.data?.rows ?? []).flatMap((row) => Object.values(row.cells).map((cell) => ({ row, cell })))
  const normal = (status: 'raw' | 'technical') =>
    cells.flatMap(({ cell }) =>
      cell.idResult !== null &&
      cell.status === status &&
      (cell.flag === 'N' || cell.flag === null) &&
      !cell.held &&
      cell.others.length === 0
        ? [cell.idResult]
        : [],
    )
  const bulk = useMutation({
    mutationFn: ({ call, ids }: { call: 'technical' | 'medical'; ids: number[] }) =>
      api(
        call === 'technical' ? 'POST /laboratory/results/technical' : 'POST /laboratory/results/medical',
        { body: { ids: ids.slice(0, 500) } },
        { forbidden: 'toast' },
      ),
    onError: tellFailure,
    onSuccess: async ({ count }, { call }) => {
      await readLaboratory(cache)
      notify.success(
        `${call === 'technical' ? 'Проверено' : 'Подтверждено'}: ${counted(count, ['значение', 'значения', 'значений'])}`,
      )
    },
  })
  const rawNormal = normal('raw')
  const technicalNormal = normal('technical')
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          <>
            {mayEnter && (
              <ActionButton
                label={`Проверить нормальные${rawNormal.length ? ` (${rawNormal.length})` : ''}`}
                variant="default"
                icon={IconCheck}
                disabled={rawNormal.length === 0}
                loading={bulk.isPending}
                onClick={() => bulk.mutate({ call: 'technical', ids: rawNormal })}
              />
            )}
            {mayApprove && (
              <ActionButton
                label={`Подтвердить нормальные${technicalNormal.length ? ` (${technicalNormal.length})` : ''}`}
                icon={IconChecks}
                disabled={technicalNormal.length === 0}
                loading={bulk.isPending}
                onClick={() => bulk.mutate({ call: 'medical', ids: technicalNormal })}
              />
            )}
          </>
        }
      >
        <HStack wrap gap={8}>
          <SegmentedControl
            aria-label="Что сделать"
            data={Object.entries(stages).map(([value, label]) => ({ value, label }))}
            value={stage}
            onChange={(value) =>
              setAddress({ stage: value === 'all' ? undefined : (value as Stage) }, { replace: true })
            }
          />
          <Select
            aria-label="Отдел"
            placeholder="Любой отдел"
            clearable
            w={210}
            data={Object.entries(sections).map(([value, label]) => ({ value, label }))}
            value={section ?? null}
            onChange={(value) => setAddress({ section: (value as keyof typeof sections | null) ?? undefined })}
          />
          <div style={{ width: 210 }}>
            <RefSelect
              to={LabDevice.path}
              aria-label="Анализатор"
              placeholder="Любой анализатор"
              clearable
              value={device ?? null}
              onChange={(value) => setAddress({ device: value ?? undefined })}
            />
          </div>
          <Select
            aria-label="Срочность"
            placeholder="Любая срочность"
            clearable
            w={170}
            data={Object.entries(urgencies).map(([value, label]) => ({ value, label }))}
            value={urgency ?? null}
            onChange={(value) => setAddress({ urgency: (value as Urgency | null) ?? undefined })}
          />
          <form
            onSubmit={(event) => {
              event.preventDefault()
              setAddress({ q: sought.trim() || undefined })
            }}
          >
            <SearchField
              aria-label="Заказ, пробирка или фамилия"
              placeholder="Заказ, пробирка, фамилия"
              w={210}
              value={sought}
              onChange={(value) => {
                setSought(value)
                if (value === '') setAddress({ q: undefined })
              }}
            />
          </form>
        </HStack>
      </PageHead>
      <div className={classes.body}>
        {answer.isPending ? (
          <LinesSkeleton lines={10} />
        ) : answer.isError ? (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        ) : answer.data.rows.length === 0 ? (
          <EmptyState
            title="Работы нет"
            text="Значения ждут здесь, когда пробу взяли и приняли. По этим условиям их нет: смените отдел или что сделать."
          />
        ) : (
          <>
            <Matrix
              analytes={answer.data.analytes}
              rows={answer.data.rows}
              mayEnter={mayEnter}
              mayApprove={mayApprove}
            />
            {answer.data.isMore && <Fine>Показаны первые 200 заказов: сузьте список.</Fine>}
          </>
        )}
      </div>
    </>
  )
}

interface MatrixProps {
  analytes: readonly MatrixAnalyte[]
  rows: readonly MatrixRow[]
  mayEnter: boolean
  mayApprove: boolean
}

type Asked =
  | { what: 'history'; row: MatrixRow; analyte: MatrixAnalyte }
  | { what: 'call' | 'correct' | 'comment'; row: MatrixRow; analyte: MatrixAnalyte; cell: Cell }

function Matrix({ analytes, rows, mayEnter, mayApprove }: MatrixProps) {
  const cache = useQueryClient()
  const frame = useRef<HTMLElement>(null)
  const [asked, setAsked] = useState<Asked>()
  const act = useMutation({
    mutationFn: async ({ call, ids }: { call: 'technical' | 'medical' | 'back' | 'repeat'; ids: number[] }) => {
      const names = {
        technical: 'POST /laboratory/results/technical',
        medical: 'POST /laboratory/results/medical',
        back: 'POST /laboratory/results/back',
        repeat: 'POST /laboratory/results/repeat',
      } as const
      await api(names[call] as 'POST /laboratory/results/technical', { body: { ids } }, { forbidden: 'toast' })
    },
    onError: tellFailure,
    onSettled: () => readLaboratory(cache),
  })
  const choose = useMutation({
    mutationFn: (idResult: number) =>
      api('POST /laboratory/results/:id/choose', { params: { id: idResult } }, { forbidden: 'toast' }),
    onError: tellFailure,
    onSettled: () => readLaboratory(cache),
  })
  const enter = async (cell: Cell, idAnalyte: number, value: string): Promise<boolean> => {
    try {
      await api(
        'POST /laboratory/results/enter',
        { body: { values: [{ idItem: cell.idItem, idAnalyte, value }] } },
        { forbidden: 'toast' },
      )
      await readLaboratory(cache)
      return true
    } catch (error) {
      tellFailure(error)
      return false
    }
  }
  /** Moves the focus to the next cell to the right or below, as in a spreadsheet. */
  const go = (from: HTMLElement, right: number, down: number) => {
    const all = [...(frame.current?.querySelectorAll<HTMLElement>('[data-cell]') ?? [])]
    const [row = 0, column = 0] = (from.dataset.cell ?? '').split(':').map(Number)
    const wanted = down
      ? (all.find((one) => one.dataset.cell === `${row + down}:${column}`) ??
        all.find((one) => Number(one.dataset.cell?.split(':')[0]) === row + down))
      : all[all.indexOf(from) + right]
    wanted?.focus()
    if (wanted instanceof HTMLInputElement) wanted.select()
  }
  /** Confirms the values of a row that the user may confirm. */
  const confirmRow = (row: MatrixRow) => {
    const all = Object.values(row.cells)
    const ids = (status: string) =>
      all.flatMap((cell) =>
        cell.status === status && cell.idResult !== null && !cell.held && !cell.needsCall ? [cell.idResult] : [],
      )
    const raw = ids('raw')
    const technical = ids('technical')
    if (mayEnter && raw.length) act.mutate({ call: 'technical', ids: raw })
    else if (mayApprove && technical.length) act.mutate({ call: 'medical', ids: technical })
  }
  return (
    <>
      <section ref={frame} className={classes.matrix} aria-label="Рабочий список" tabIndex={-1}>
        <table>
          <thead>
            <tr>
              <th scope="col">Пациент</th>
              {analytes.map((analyte) => (
                <th key={analyte.id} scope="col" title={analyte.name}>
                  {analyte.shortName ?? analyte.name}
                  <span className={classes.unit}>{analyte.unit}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={row.idOrder}>
                <th scope="row">
                  <PageLink page="labOrder" params={{ id: row.idOrder }}>
                    {row.patient}
                  </PageLink>
                  <Fine component="div">
                    {[row.number, row.birthday].filter(Boolean).join(' · ')}
                    {row.urgency === 'cito' && (
                      <Badge ml={6} size="xs" color="orange" variant="light">
                        Cito
                      </Badge>
                    )}
                  </Fine>
                  {row.dueAt && <Fine component="div">к {formatDateTime(row.dueAt)}</Fine>}
                </th>
                {analytes.map((analyte, column) => {
                  const cell = row.cells[String(analyte.id)]
                  if (!cell) return <td key={analyte.id} className={classes.cell} data-none aria-label="не заказано" />
                  return (
                    <ValueCell
                      key={analyte.id}
                      place={`${at}:${column}`}
                      cell={cell}
                      analyte={analyte}
                      patient={row.patient}
                      mayEnter={mayEnter}
                      onEnter={(value) => enter(cell, analyte.id, value)}
                      onGo={go}
                      onConfirm={() => confirmRow(row)}
                      menu={
                        <CellMenu
                          cell={cell}
                          mayEnter={mayEnter}
                          mayApprove={mayApprove}
                          onAct={(call) => cell.idResult !== null && act.mutate({ call, ids: [cell.idResult] })}
                          onChoose={(idResult) => choose.mutate(idResult)}
                          onAsk={(what) =>
                            setAsked(what === 'history' ? { what, row, analyte } : { what, row, analyte, cell })
                          }
                        />
                      }
                    />
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {asked?.what === 'history' && (
        <HistoryDialog
          idCustomer={asked.row.idCustomer}
          idAnalyte={asked.analyte.id}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.what === 'call' && asked.cell.idResult !== null && (
        <CallDialog
          value={{
            id: asked.cell.idResult,
            analyte: asked.analyte.name,
            value: asked.cell.value ?? '',
            unit: asked.cell.unit,
            patient: asked.row.patient,
            doctor: null,
            phone: null,
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.what === 'correct' && (
        <CorrectDialog
          cell={asked.cell}
          analyte={asked.analyte}
          onDone={() => readLaboratory(cache)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

const states: Record<string, { icon: typeof IconCheck; words: string }> = {
  raw: { icon: IconCircleDashed, words: 'Получен, не проверен' },
  technical: { icon: IconCheck, words: 'Проверен технически' },
  medical: { icon: IconChecks, words: 'Подтверждён врачом' },
  corrected: { icon: IconChecks, words: 'Исправлен' },
}

interface CellProps {
  place: string
  cell: Cell
  analyte: MatrixAnalyte
  patient: string
  mayEnter: boolean
  onEnter: (value: string) => Promise<boolean>
  onGo: (from: HTMLElement, right: number, down: number) => void
  onConfirm: () => void
  menu: React.ReactNode
}

function ValueCell({ place, cell, analyte, patient, mayEnter, onEnter, onGo, onConfirm, menu }: CellProps) {
  const [typed, setTyped] = useState<string>()
  const isOpen = mayEnter && !cell.derived && cell.status !== 'medical' && cell.status !== 'corrected'
  const shown = cell.value === null ? '' : valueWords(cell.value)
  const write = async () => {
    if (typed === undefined || typed.trim() === shown) {
      setTyped(undefined)
      return
    }
    if (await onEnter(typed.trim())) setTyped(undefined)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const field = event.currentTarget
    const moves: Record<string, [number, number]> = {
      Enter: [event.shiftKey ? -1 : 1, 0],
      ArrowDown: [0, 1],
      ArrowUp: [0, -1],
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void write().then(onConfirm)
      return
    }
    if (event.key === 'Escape') setTyped(undefined)
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    void write()
    onGo(field, ...move)
  }
  const { icon: State, words } = states[cell.status ?? ''] ?? {}
  const label = `${patient}: ${analyte.name}`
  return (
    <td className={classes.cell} data-flag={cell.flag ?? undefined}>
      {State && (
        <Tooltip label={words} openDelay={400}>
          <span
            className={classes.state}
            data-done={cell.status === 'medical' || cell.status === 'corrected' || undefined}
          >
            <State size={14} aria-label={words} role="img" />
          </span>
        </Tooltip>
      )}
      <input
        className={classes.value}
        data-cell={place}
        aria-label={label}
        list={isOpen && analyte.type === 'enum' ? `choices-${analyte.id}` : undefined}
        inputMode={analyte.type === 'number' ? 'decimal' : 'text'}
        readOnly={!isOpen}
        placeholder={cell.derived ? 'расчёт' : isOpen ? '—' : ''}
        value={typed ?? shown}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => void write()}
        onKeyDown={onKeyDown}
      />
      {isOpen && analyte.type === 'enum' && (
        <datalist id={`choices-${analyte.id}`}>
          {analyte.choices.map(({ value }) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
      <span className={classes.under}>
        <FlagMark flag={cell.flag} words={false} />
        {cell.held && (
          <Tooltip label="Контроль качества не принят: результат задержан">
            <IconShieldLock size={14} aria-label="Задержан контролем" role="img" />
          </Tooltip>
        )}
        {cell.others.length > 0 && <b>ещё {cell.others.map(({ value }) => value).join(', ')}</b>}
        {cell.delta !== null && `${cell.delta > 0 ? '+' : ''}${cell.delta}%`}
        {cell.value === null && cell.former && `было ${valueWords(cell.former)}`}
        <span style={{ marginLeft: 'auto' }}>{menu}</span>
      </span>
    </td>
  )
}

interface MenuProps {
  cell: MatrixCell
  mayEnter: boolean
  mayApprove: boolean
  onAct: (call: 'technical' | 'medical' | 'back' | 'repeat') => void
  onChoose: (idResult: number) => void
  onAsk: (what: 'history' | 'call' | 'correct') => void
}

function CellMenu({ cell, mayEnter, mayApprove, onAct, onChoose, onAsk }: MenuProps) {
  const { status, needsCall, others } = cell
  return (
    <ActionMenu label={`Действия: ${cell.value ?? 'значения нет'}`} variant="subtle" size={24} width={270}>
      {others.map(({ id: other, value, device }) => (
        <MenuItem
          key={other}
          label={`Выбрать ${value}${device ? ` (${device})` : ''}`}
          icon={IconCheck}
          onClick={() => onChoose(other)}
        />
      ))}
      {needsCall && <MenuItem label="Записать звонок…" icon={IconPhoneCall} onClick={() => onAsk('call')} />}
      {mayEnter && status === 'raw' && (
        <MenuItem label="Проверено технически" icon={IconCheck} onClick={() => onAct('technical')} />
      )}
      {mayApprove && status === 'technical' && (
        <MenuItem label="Подтвердить" icon={IconChecks} onClick={() => onAct('medical')} />
      )}
      {status === 'technical' && (
        <MenuItem label="Вернуть на проверку" icon={IconRefresh} onClick={() => onAct('back')} />
      )}
      {(status === 'raw' || status === 'technical') && (
        <MenuItem label="Измерить заново" icon={IconRefresh} onClick={() => onAct('repeat')} />
      )}
      {mayApprove && (status === 'medical' || status === 'corrected') && (
        <MenuItem label="Исправить…" icon={IconEdit} onClick={() => onAsk('correct')} />
      )}
      <MenuItem label="История показателя" icon={IconHistory} onClick={() => onAsk('history')} />
    </ActionMenu>
  )
}

function CorrectDialog({
  cell,
  analyte,
  onDone,
  onClose,
}: {
  cell: Cell
  analyte: MatrixAnalyte
  onDone: () => Promise<void>
  onClose: () => void
}) {
  const [value, setValue] = useState(cell.value ?? '')
  const [reason, setReason] = useState('')
  return (
    <ActionDialog
      title={`Исправление: ${analyte.name}`}
      action="Исправить"
      faults={{ value: !value.trim() && messages.required, reason: !reason.trim() && messages.required }}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /laboratory/results/:id/correct',
          { params: { id: cell.idResult as number }, body: { value, reason } },
          { forbidden: 'toast' },
        )
        await onDone()
        notify.success('Значение исправлено, прежнее сохранено')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <span>
            Опубликовано <b>{cell.value}</b> {cell.unit}: останутся оба значения.
          </span>
          <TextInput
            label="Верное значение"
            required
            data-autofocus
            maxLength={1000}
            value={value}
            error={errorOf('value')}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
          <Textarea
            label="Причина"
            required
            autosize
            minRows={2}
            maxLength={500}
            value={reason}
            error={errorOf('reason')}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}
