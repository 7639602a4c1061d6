/** Basic components of the patients' screens. */
import { formatMoney } from '@ordinator/model/format'
import { type ButtonHTMLAttributes, type ComponentProps, type ReactNode, useId } from 'react'
import type { Asked } from './useAsked.ts'

/** A field with its label above and the error below. */
export function Field({
  label,
  help,
  wrong,
  ...input
}: { label: string; help?: string; wrong?: string | undefined } & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} aria-invalid={wrong !== undefined} aria-describedby={`${id}-said`} {...input} />
      <p id={`${id}-said`} className={wrong ? 'wrong' : 'quiet'} role={wrong ? 'alert' : undefined}>
        {wrong ?? help}
      </p>
    </div>
  )
}

export function Button({
  busy,
  tone = 'main',
  children,
  ...more
}: { busy?: boolean; tone?: 'main' | 'plain' | 'danger' } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="button" className="button" data-tone={tone} disabled={busy || more.disabled} {...more}>
      {busy ? 'Подождите…' : children}
    </button>
  )
}

/** Saves a visit to the calendar of the phone. */
export const CalendarLink = ({ href }: { href: string }) => (
  <a className="button" data-tone="plain" href={href} download="visit.ics">
    В календарь
  </a>
)

/** Confirmation of an irreversible action. */
export const ConfirmPrompt = ({
  question,
  yes,
  busy,
  onYes,
  onNo,
}: {
  question: string
  yes: string
  busy: boolean
  onYes: () => void
  onNo: () => void
}) => (
  <fieldset className="asks">
    <legend>{question}</legend>
    <div className="row">
      <Button tone="danger" busy={busy} onClick={onYes}>
        {yes}
      </Button>
      <Button tone="plain" onClick={onNo}>
        Оставить
      </Button>
    </div>
  </fieldset>
)

/** Loading state, error, or content. */
export function Loaded<T>({ asked, children }: { asked: Asked<T>; children: (data: T) => ReactNode }) {
  if (asked.refusal)
    return (
      <div className="card" role="alert">
        <p>{asked.refusal.message}</p>
        <Button tone="plain" onClick={asked.again}>
          Попробовать ещё раз
        </Button>
      </div>
    )
  if (asked.data === undefined)
    return (
      <div className="waits" role="status">
        Загружаем…
      </div>
    )
  return <>{children(asked.data)}</>
}

export const Empty = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="empty">
    <h2>{title}</h2>
    <p>{children}</p>
  </div>
)

/** Price after discounts, before them, and the discounts. */
export const Cost = ({ price, full, why }: { price: number; full: number | null; why: readonly string[] }) => (
  <>
    <p className="number">
      {formatMoney(price)}
      {full !== null && (
        <>
          {' '}
          <s className="quiet">
            <span className="unseen">Без скидок: </span>
            {formatMoney(full)}
          </s>
        </>
      )}
    </p>
    {why.map((line) => (
      <p className="quiet" key={line}>
        {line}
      </p>
    ))}
  </>
)
