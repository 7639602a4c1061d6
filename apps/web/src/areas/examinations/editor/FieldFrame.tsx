import { Alert } from '@mantine/core'
import { type ReactNode, useCallback, useSyncExternalStore } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { AssistedMark } from './AssistedMark.tsx'
import { useOpenDraft } from './useDraft.ts'

interface Props {
  part: string
  /** Display text of a value. */
  words: (value: unknown) => string
  label: string
  children: ReactNode
}

/** A part of the draft, with another user's conflicting value below it. */
export function FieldFrame({ part, words, label, children }: Props) {
  const draft = useOpenDraft()
  const subscribe = useCallback((listener: () => void) => draft.subscribe(part, listener), [draft, part])
  const isDisputed = useSyncExternalStore(subscribe, () => draft.dispute(part) !== undefined)
  return (
    <div data-part={part}>
      {children}
      <Marked part={part} />
      {isDisputed && (
        <Alert color="yellow" variant="light" mt={6} p={8} role="alert" title={`«${label}» изменил другой сотрудник`}>
          <div className="lines breaks">{words(draft.dispute(part)?.theirs) || 'Поле очищено'}</div>
          <HStack mt={6} wrap>
            <ActionButton label="Взять его" size="compact-sm" onClick={() => draft.resolve(part, 'theirs')} />
            <ActionButton
              label="Оставить моё"
              size="compact-sm"
              variant="default"
              onClick={() => draft.resolve(part, 'mine')}
            />
          </HStack>
        </Alert>
      )}
    </div>
  )
}

/** Marks a filled part that a model has drafted. */
function Marked({ part }: { part: string }) {
  const draft = useOpenDraft()
  const subscribe = useCallback(
    (listener: () => void) => {
      const leave = [draft.subscribe(part, listener), draft.subscribe('*', listener)]
      return () => {
        for (const one of leave) one()
      }
    },
    [draft, part],
  )
  return useSyncExternalStore(subscribe, () => draft.isAssisted(part)) ? <AssistedMark /> : null
}
