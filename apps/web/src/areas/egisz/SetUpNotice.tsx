import { holds } from '@ordinator/model/access'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Notice } from '#areas/eln/index.ts'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { GenericLink } from '#kit/GenericLink.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'

/** Missing setup steps of the register; hidden once complete. */
export function SetUpNotice() {
  const maySet = holds(useActor(), 'mainSettings')
  const { data, isPending } = useQuery({
    queryKey: ['egisz', 'state'],
    queryFn: ({ signal }) => api('GET /egisz/state', {}, { signal, forbidden: 'silent' }),
    retry: retries,
  })
  useRevealDelay(isPending)
  if (!data || data.isSet) return null
  return (
    <Notice icon={IconPlugConnectedX} color="gray">
      <VStack gap={4}>
        <span>{data.words}.</span>
        {maySet ? (
          data.steps.map(({ words, link }) => (
            <div key={words}>
              <GenericLink href={link}>{words}</GenericLink>
            </div>
          ))
        ) : (
          <Fine>Обмен настраивает администратор: {data.steps.map(({ words }) => words.toLowerCase()).join('; ')}.</Fine>
        )}
      </VStack>
    </Notice>
  )
}
