import { type CSSProperties, useEffect, useState } from 'react'
import classes from './EditableText.module.css'

interface Props {
  value: string
  /** Accessible name of the field. */
  label: string
  maxLength: number
  disabled?: boolean
  /** Starts as a field: a new item needs a name. */
  fresh?: boolean
  onSave: (value: string) => void
  /** The field was left, with or without a change. */
  onDone?: () => void
  done?: boolean
  style?: CSSProperties
}

/** Text that becomes a field when clicked: Enter saves, Escape cancels. */
export function EditableText({ value, label, maxLength, disabled, fresh = false, onSave, onDone, done, style }: Props) {
  const [editing, setEditing] = useState(fresh)
  useEffect(() => {
    if (fresh) setEditing(true)
  }, [fresh])
  if (disabled)
    return (
      <span className={classes.text} data-done={done || undefined} style={style}>
        {value}
      </span>
    )
  if (!editing)
    return (
      <button
        type="button"
        className={classes.text}
        data-done={done || undefined}
        style={style}
        title="Изменить"
        onClick={() => setEditing(true)}
      >
        {value}
      </button>
    )
  const finish = (text: string | undefined) => {
    setEditing(false)
    const written = text?.trim()
    if (written && written !== value) onSave(written)
    onDone?.()
  }
  return (
    <textarea
      className={classes.field}
      style={style}
      aria-label={label}
      defaultValue={value}
      maxLength={maxLength}
      rows={1}
      ref={(element) => {
        if (!element || element.dataset.ready) return
        element.dataset.ready = 'yes'
        element.focus()
        element.select()
      }}
      onBlur={(event) => finish(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        finish(event.key === 'Enter' ? event.currentTarget.value.replace(/\n/g, ' ') : undefined)
      }}
    />
  )
}
