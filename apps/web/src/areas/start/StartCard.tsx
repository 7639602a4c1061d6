import { Progress as Bar, Text } from '@mantine/core'
import { minutesLeft, nextStep, startSteps } from '@ordinator/model/areas/start/steps'
import { counted } from '@ordinator/model/format'
import { PageLink } from '#base/PageLink.tsx'
import { useAccount } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { useStart } from './useStart.ts'

/** «С чего начать» on the administrator's dashboard, until setup is complete. */
export const StartCard = () => (useAccount().common.isNew ? <Card /> : null)

function Card() {
  const { data, isLoading } = useStart()
  useRevealDelay(isLoading)
  if (!data || data.works) return null
  const done = data.steps.filter((one) => one.done).length
  const next = nextStep(data.steps)
  const title = startSteps.find(({ key }) => key === next?.key)?.title
  return (
    <Block component="section" framed mx="var(--ord-page)" mb={16} p={16} maw={1448} aria-label="С чего начать">
      <HStack gap="12px 24px" wrap justify="space-between">
        <Block grow miw={220}>
          <Text fw={600}>С чего начать</Text>
          <Muted>
            {title ? `Дальше: ${title.toLowerCase()}. ` : ''}
            {`Осталось около ${counted(minutesLeft(data.steps), ['минуты', 'минут', 'минут'])}.`}
          </Muted>
          <Bar mt={8} value={(100 * done) / data.steps.length} aria-label={`Сделано ${done} из ${data.steps.length}`} />
        </Block>
        <ActionButton
          label={done ? 'Продолжить настройку' : 'Настроить клинику'}
          renderRoot={(props) => <PageLink {...props} page="start" />}
        />
      </HStack>
    </Block>
  )
}
