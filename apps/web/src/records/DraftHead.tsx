import { Alert, Textarea } from '@mantine/core'
import type { Entity, Row } from '@ordinator/model/entity'
import { ActionButton } from '#kit/ActionButton.tsx'
import classes from '#kit/openCard.module.css'
import type { DraftState, RecordDraft } from './recordDraft.ts'

interface Props<E extends Entity> {
  draft: RecordDraft<E>
  state: DraftState<E>
}

/** Offers unsaved changes of an earlier session: apply or discard. */
export function DraftNotice<E extends Entity>({ draft, state }: Props<E>) {
  if (!state.restored) return null
  return (
    <Alert color="yellow" mb="md" title="Есть несохранённый черновик">
      Здесь остались изменения с прошлого раза.
      <div className={classes.alertActions}>
        <ActionButton label="Сохранить" size="compact-sm" onClick={() => void draft.flush()} />
        <ActionButton label="Отбросить" size="compact-sm" variant="default" onClick={() => draft.discard()} />
      </div>
    </Alert>
  )
}

/** The title of an open record: one line of text, edited in place. */
export function DraftName<E extends Entity>(
  props: Props<E> & { name: keyof Row<E> & string; saved: string; label: string; readOnly: boolean },
) {
  const { draft, state, name, saved, label, readOnly } = props
  return (
    <Textarea
      variant="unstyled"
      autosize
      minRows={1}
      maxRows={6}
      classNames={{ input: classes.name }}
      aria-label={label}
      maxLength={255}
      readOnly={readOnly}
      value={(state.changes[name] as string | undefined) ?? saved}
      error={state.errors[name]}
      onChange={(event) =>
        draft.change({ [name]: event.currentTarget.value.replace(/\n/g, ' ') } as Partial<Row<E>>, true)
      }
      onBlur={() => void draft.flush()}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
          event.preventDefault()
          event.currentTarget.blur()
        }
      }}
    />
  )
}
