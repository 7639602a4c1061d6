import { List, Text } from '@mantine/core'
import { newFor, releases } from '@ordinator/model/areas/upkeep/whatsNew'
import { usePreference } from '#base/preferences.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { useTour } from './FirstSteps.tsx'

interface Seen {
  release: string
}
const read = (stored: unknown): Seen => {
  const { release } = (stored ?? {}) as Partial<Seen>
  return { release: typeof release === 'string' ? release : '' }
}

/** Shows the user once the news of the last updates. */
export function WhatsNew() {
  const actor = useActor()
  const [{ release }, keep] = usePreference('whatsNew', read, 'account')
  const [tour] = useTour()
  const items = newFor(actor, release)
  const newest = releases[0]?.key
  // A new user sees no news.
  if (!tour.seen || items.length === 0 || newest === undefined) return null
  return (
    <Block component="section" framed mx="var(--ord-page)" mb={16} px={16} py={12} maw={1448} aria-label="Что нового">
      <HStack gap="8px 16px" wrap justify="space-between" align="flex-start">
        <div>
          <Text component="h2" fw={600} mb={4}>
            Что нового
          </Text>
          <List spacing={2} listStyleType="disc">
            {items.map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
        </div>
        <ActionButton label="Понятно" variant="default" onClick={() => keep({ release: newest })} />
      </HStack>
    </Block>
  )
}
