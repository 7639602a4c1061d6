import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import bareText from '#kit/bareText.module.css'
import { focusIsNowhere, useReturnFocus } from '#kit/useReturnFocus.ts'
import { notifyBoardFailure } from './cardStore.ts'
import classes from './QuickAdd.module.css'

interface Props {
  /** Key of the draft, separate per column. */
  draft: string
  label: string
  placeholder: string
  /** Returns the id of the new card; false: it was not created, and the text is restored. */
  create: (name: string) => Promise<number | false>
  /** Opens the new card: offered by Ctrl+Enter. */
  open?: (id: number) => void
  /** Title of the error toast. */
  failure?: string
  /** Another way to create one, on the left. */
  start?: ReactNode
  onClose: () => void
}

const MAX_NAME = 255
const drafts = new Map<string, string>()

/** Creates cards in a row: Enter creates, Ctrl+Enter also opens the card, Escape closes and keeps the text. */
export function QuickAdd({ draft, label, placeholder, create: make, open, failure, start, onClose }: Props) {
  const form = useRef<HTMLDivElement>(null)
  const last = useRef<Promise<number | false>>(null)
  useReturnFocus()
  useColumnFocus(form, last)
  const [name, setName] = useState(() => drafts.get(draft) ?? '')
  const change = (value: string) => {
    setName(value)
    if (value) drafts.set(draft, value)
    else drafts.delete(draft)
  }
  const create = async (opens = false) => {
    const wanted = name.trim()
    if (!wanted) return
    change('')
    // Restore the text of a failed card, unless something new is being typed.
    const back = () => {
      setName((now) => now || wanted)
      if (!drafts.has(draft)) drafts.set(draft, wanted)
    }
    try {
      last.current = make(wanted)
      const made = await last.current
      if (made === false) back()
      else if (opens && open) {
        onClose()
        open(made)
      }
    } catch (error) {
      back()
      notifyBoardFailure(error, failure)
    }
  }
  return (
    <div className={classes.form} ref={form}>
      <textarea
        className={`${bareText.field} ${classes.field}`}
        aria-label={label}
        placeholder={placeholder}
        maxLength={MAX_NAME}
        rows={1}
        value={name}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for the field
        autoFocus
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            void create(event.ctrlKey || event.metaKey)
          } else if (event.key === 'Escape') {
            event.preventDefault()
            event.stopPropagation()
            onClose()
          }
        }}
      />
      <div className={classes.line}>
        {start}
        <span className={classes.hint} data-long={open ? true : undefined}>
          {open ? 'Ctrl+Enter — и открыть, Esc — закрыть' : 'Esc — закрыть'}
        </span>
        <button type="button" className={classes.button} onClick={() => void create()} disabled={!name.trim()}>
          <IconPlus size={14} aria-hidden /> Создать
        </button>
      </div>
    </div>
  )
}

/**
 * Focuses the latest card, or stays in the column where it was opened by a key, so that the focus is never lost to the
 * page. An event may render the card before the answer with its id arrives: then the focus follows the answer.
 */
function useColumnFocus(form: RefObject<HTMLElement | null>, last: RefObject<Promise<number | false> | null>): void {
  useEffect(() => {
    const column = form.current?.closest('[data-column]')
    return () => {
      // After the previous owner of the focus has reacted.
      setTimeout(async () => {
        if (!focusIsNowhere()) return
        const spare = column?.querySelector('button')
        spare?.focus()
        const made = await last.current?.catch(() => false as const)
        if (made && column) focusOnceShown(column, `[data-card="${made}"]`, spare)
      })
    }
  }, [form, last])
}

/** Focuses an element of the column as soon as it is rendered, unless the focus has left `from` meanwhile. */
function focusOnceShown(column: Element, selector: string, from: Element | null | undefined): void {
  const focus = (): boolean => {
    const card = column.querySelector<HTMLElement>(selector)
    if (document.activeElement === from) card?.focus()
    return card !== null || document.activeElement !== from
  }
  if (focus()) return
  const observer = new MutationObserver(() => {
    if (focus() || !column.isConnected) observer.disconnect()
  })
  observer.observe(column, { childList: true, subtree: true })
}
