import { Alert, Anchor } from '@mantine/core'
import { counted } from '@ordinator/model/format'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { PageLink } from '#base/PageLink.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useCheckList } from './useCheckList.ts'

/** Obligatory information: published or not, and where to add it. */
export function CheckList() {
  const found = useCheckList()
  useRevealDelay(found.isPending)
  if (found.isPending) return <LinesSkeleton lines={6} />
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const missing = found.data.items.filter(({ isPlaced }) => !isPlaced)
  return (
    <section aria-label="Что обязательно разместить">
      <VStack gap={8} maw={760}>
        <strong>
          Обязательное на сайте:{' '}
          {missing.length === 0
            ? 'всё размещено'
            : `не хватает ${counted(missing.length, ['пункта', 'пунктов', 'пунктов'])}`}
        </strong>
        <VStack gap={6} component="ul">
          {found.data.items.map(({ key, label, how, source, isPlaced }) => (
            <HStack key={key} component="li" gap={8} align="flex-start">
              {isPlaced ? (
                <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
              ) : (
                <IconCircleX size={18} color="var(--mantine-color-error)" aria-hidden />
              )}
              <div>
                {label}: {isPlaced ? 'размещено' : <strong>нет</strong>}
                <Fine component="div">{isPlaced ? source : `${source}. ${how}`}</Fine>
              </div>
            </HStack>
          ))}
        </VStack>
      </VStack>
    </section>
  )
}

/** Notice on the settings page: information missing on the site, with a link. */
export function MissingOnSite() {
  const { data, isPending } = useCheckList()
  useRevealDelay(isPending)
  if (!data) return null
  const missing = data.items.filter(({ isPlaced }) => !isPlaced)
  return (
    <Alert
      color={missing.length ? 'yellow' : 'teal'}
      variant="light"
      mb={16}
      title={
        missing.length
          ? `На сайте не размещено обязательное: ${counted(missing.length, ['пункт', 'пункта', 'пунктов'])}`
          : 'На сайте размещено всё обязательное'
      }
    >
      {missing.map(({ key, label }) => (
        <div key={key}>{label}</div>
      ))}
      <HStack gap={16} mt={4}>
        <Anchor
          size="sm"
          c="inherit"
          underline="always"
          renderRoot={(props) => <PageLink page="clientDocuments" {...props} />}
        >
          Что нужно сделать
        </Anchor>
        <Anchor href={data.address} target="_blank" rel="noopener noreferrer" size="sm" c="inherit" underline="always">
          Открыть сайт
        </Anchor>
      </HStack>
    </Alert>
  )
}
