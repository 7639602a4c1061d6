import { Tooltip } from '@mantine/core'
import type { MatrixAnalyte, MatrixCell } from '@ordinator/model/areas/laboratory/calls'
import { dropReasons, reviewReasons } from '@ordinator/model/areas/laboratory/states'
import { valueWords } from '@ordinator/model/areas/laboratory/values'
import {
  IconBan,
  IconCheck,
  IconChecks,
  IconCircleDashed,
  IconEdit,
  IconEye,
  IconHistory,
  IconPhoneCall,
  IconRefresh,
  IconShieldLock,
} from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { FlagMark } from '../words.tsx'
import type { Cell } from './cell.ts'
import classes from './results.module.css'

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

export function ValueCell({ place, cell, analyte, patient, mayEnter, onEnter, onGo, onConfirm, menu }: CellProps) {
  const [typed, setTyped] = useState<string>()
  const isOpen = mayEnter && !cell.derived && cell.status !== 'medical' && cell.status !== 'corrected'
  const isNone = cell.kind === 'none'
  const shown = cell.value === null ? '' : isNone ? 'нет результата' : valueWords(cell.value)
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
    <td
      className={classes.cell}
      data-flag={cell.flag ?? undefined}
      onMouseDown={(event) => {
        if ((event.target as HTMLElement).closest('input, button')) return
        event.preventDefault()
        event.currentTarget.querySelector('input')?.focus()
      }}
    >
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
        title={[isNone ? cell.value : '', cell.reason].filter(Boolean).join('. ') || undefined}
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
        {cell.preliminary && <b title="Прибор ещё пришлёт окончательное значение">предв.</b>}
        {cell.review && <b title={reviewReasons[cell.review]}>пересмотреть</b>}
        {cell.others.length > 0 && (
          <b>
            ещё{' '}
            {cell.others
              .map(({ value, preliminary }) => `${valueWords(value)}${preliminary ? ' (предв.)' : ''}`)
              .join(', ')}
          </b>
        )}
        {cell.struck.length > 0 && (
          <Tooltip multiline w={260} label={<Struck cell={cell} />} openDelay={200}>
            <s>{valueWords(cell.struck.at(-1)?.value ?? '')}</s>
          </Tooltip>
        )}
        {cell.delta !== null && `${cell.delta > 0 ? '+' : ''}${cell.delta}%`}
        {cell.value === null && cell.former && `было ${valueWords(cell.former)}`}
        <span style={{ marginLeft: 'auto' }}>{menu}</span>
      </span>
    </td>
  )
}

/** Values that lost the place: why, who and when. */
const Struck = ({ cell }: { cell: Cell }) => (
  <>
    {cell.struck.map(({ value, why, at, by }) => (
      <div key={`${value}${at}`}>
        <s>{valueWords(value)}</s> {[dropReasons[why], by, at && formatDateTime(at)].filter(Boolean).join(', ')}
      </div>
    ))}
  </>
)

interface MenuProps {
  cell: MatrixCell
  mayEnter: boolean
  mayApprove: boolean
  onAct: (call: 'technical' | 'medical' | 'back' | 'repeat') => void
  onChoose: (idResult: number) => void
  onAsk: (what: 'history' | 'call' | 'correct' | 'none' | 'review') => void
}

export function CellMenu({ cell, mayEnter, mayApprove, onAct, onChoose, onAsk }: MenuProps) {
  const { status, needsCall, others } = cell
  return (
    <ActionMenu label={`Действия: ${cell.value ?? 'значения нет'}`} variant="subtle" size={24} width={270}>
      {others.map(({ id: other, value, device }) => (
        <MenuItem
          key={other}
          label={`Выбрать ${valueWords(value)}${device ? ` (${device})` : ''}`}
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
      {mayEnter && !cell.derived && status !== 'medical' && status !== 'corrected' && (
        <MenuItem label="Нет результата…" icon={IconBan} onClick={() => onAsk('none')} />
      )}
      {mayApprove && cell.review && <MenuItem label="Пересмотреть…" icon={IconEye} onClick={() => onAsk('review')} />}
      {mayApprove && (status === 'medical' || status === 'corrected') && (
        <MenuItem label="Исправить…" icon={IconEdit} onClick={() => onAsk('correct')} />
      )}
      <MenuItem label="История показателя" icon={IconHistory} onClick={() => onAsk('history')} />
    </ActionMenu>
  )
}
