import { inSentence } from '@ordinator/model/format'
import { IconChartBar, IconChecklist, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { HStack } from '#kit/Stacks.tsx'
import { CheckLists, useCheckLists } from './CheckLists.tsx'
import { ClientLists, useClientLists } from './ClientLists.tsx'
import { Polls } from './Polls.tsx'
import type { SectionProps } from './SectionProps.ts'
import { usePolls } from './usePolls.ts'

/** Check lists, client lists and polls, with buttons to create them. */
export function Things(props: SectionProps) {
  const { card, mayEdit } = props
  const checkLists = useCheckLists(card.idTask)
  const clientLists = useClientLists(card.idTask)
  const polls = usePolls(card.idTask)
  const [fresh, setFresh] = useState<number>()
  const [making, setMaking] = useState(false)
  const make = async (add: (values: object) => Promise<number>, name: string) => {
    setMaking(true)
    try {
      setFresh(await add({ name }))
    } catch {
      // The save has already shown the error.
    } finally {
      setMaking(false)
    }
  }
  useHotkey('l', () => void make(checkLists.add, 'Чек-лист'), {
    label: 'Чек-лист',
    group: 'Карточка',
    enabled: mayEdit && !making,
  })
  const kinds = [
    { icon: IconChecklist, label: 'Чек-лист', add: checkLists.add, name: 'Чек-лист' },
    { icon: IconUsers, label: 'Список клиентов', add: clientLists.add, name: 'Список клиентов' },
    { icon: IconChartBar, label: 'Опрос', add: polls.add, name: 'Новый опрос' },
  ]
  return (
    <>
      {mayEdit && (
        <HStack align="stretch" wrap mt={20}>
          {kinds.map(({ icon: Icon, label, add, name }) => (
            <ActionButton
              label={label}
              key={label}
              size="compact-sm"
              variant="default"
              disabled={making}
              icon={Icon}
              aria-label={`Добавить: ${inSentence(label)}`}
              onClick={() => void make(add, name)}
            />
          ))}
        </HStack>
      )}
      <CheckLists {...props} lists={checkLists} fresh={fresh} />
      <ClientLists {...props} lists={clientLists} fresh={fresh} />
      <Polls {...props} polls={polls} fresh={fresh} />
    </>
  )
}
