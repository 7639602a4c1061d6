import { Alert, Badge } from '@mantine/core'
import { type Finding, findingSources } from '@ordinator/model/areas/egisz/semd'
import { IconCircleCheck } from '@tabler/icons-react'
import { GenericLink } from '#kit/GenericLink.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'

/** Problems of a document, with fixes and links. */
export function Findings({ findings, error }: { findings: readonly Finding[]; error: string | null }) {
  if (findings.length === 0)
    return error ? (
      <Alert color="red" variant="light" title="Не отправлен">
        {error}
      </Alert>
    ) : (
      <Alert color="teal" variant="light" icon={<IconCircleCheck size={18} />} title="Ошибок нет">
        Документ проверен по данным, схеме, правилам и справочникам.
      </Alert>
    )
  const sorted = findings.toSorted((a, b) => (a.severity === b.severity ? 0 : a.severity === 'error' ? -1 : 1))
  return (
    <VStack gap={8}>
      {sorted.map((one) => (
        <Block key={`${one.source} ${one.code} ${one.message}`} framed p={12}>
          <VStack gap={4}>
            <HStack gap={8} wrap>
              <Badge color={one.severity === 'error' ? 'red' : 'yellow'} variant="light" tt="none" fw={500}>
                {findingSources[one.source]}
              </Badge>
              {one.source !== 'data' && <Fine>{one.code}</Fine>}
            </HStack>
            <span>{one.message}</span>
            {one.link ? (
              <GenericLink href={one.link}>{one.mend ?? 'Исправить'}</GenericLink>
            ) : (
              one.mend && <Fine>{one.mend}</Fine>
            )}
          </VStack>
        </Block>
      ))}
    </VStack>
  )
}
