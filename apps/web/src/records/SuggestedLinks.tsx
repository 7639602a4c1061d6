import { IconLink, type TablerIcon } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import classes from './LinkedRecords.module.css'
import { LinkFace, type LinkWords } from './LinkFace.tsx'

/** Shown at first; the rest on request. */
const SHOWN = 3

interface Props<R extends { id: number }> {
  title: string
  rows: readonly R[]
  words: (row: R) => LinkWords
  icon: TablerIcon
  onLink: (id: number) => void
}

/** Below the linked records: suggestions, each linked by one click. */
export function SuggestedLinks<R extends { id: number }>({ title, rows, words, icon, onLink }: Props<R>) {
  const [all, setAll] = useState(false)
  if (rows.length === 0) return null
  return (
    <section className={classes.suggested} aria-label={title}>
      <h4 className={classes.suggestedTitle}>{title}</h4>
      <ul className={classes.list}>
        {rows.slice(0, all ? undefined : SHOWN).map((row) => {
          const label = words(row)
          return (
            <li key={row.id} className={classes.line}>
              <LinkFace words={label} kindIcon={icon} />
              <ActionButton
                label="Связать"
                className={classes.action}
                size="compact-xs"
                variant="subtle"
                icon={IconLink}
                aria-label={`Связать: ${[label.name, label.meta].filter(Boolean).join(', ')}`}
                onClick={() => onLink(row.id)}
              />
            </li>
          )
        })}
      </ul>
      {rows.length > SHOWN && !all && (
        <ActionButton
          label={`Ещё ${rows.length - SHOWN}`}
          size="compact-xs"
          variant="subtle"
          onClick={() => setAll(true)}
        />
      )}
    </section>
  )
}
