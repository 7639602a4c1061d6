import { Anchor, Box } from '@mantine/core'
import { SitePage } from '@ordinator/model/areas/site/page'
import { pageByKey } from '@ordinator/model/pages'
import { PageLink } from '#base/PageLink.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { FamilyTabs } from '#records/registry/FamilyTabs.tsx'
import { stateOf } from './ClientPagePage.tsx'
import { Constructor } from './Constructor.tsx'
import { SiteLink } from './SiteLink.tsx'

/** Структура главной: blocks of the home page, on and off, ordered. */
export default function HomePage() {
  const page = pageByKey('homePageStructure')
  const found = useList(SitePage, { filter: { isHome: true }, limit: 1 })
  const home = found.data?.items[0]
  return (
    <>
      <PageHead title={page.title} help={page.help} actions={<SiteLink />}>
        <FamilyTabs page={page} />
      </PageHead>
      <Box px="var(--ord-page)" pt={16} pb={32}>
        {found.isPending && <LinesSkeleton lines={8} />}
        {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {home && (
          <VStack gap={12}>
            <HStack gap={16} wrap>
              <Muted>{stateOf(home)}</Muted>
              <Anchor
                size="sm"
                renderRoot={(props) => <PageLink page="clientPage" params={{ id: home.id }} {...props} />}
              >
                Название, описание и версии
              </Anchor>
            </HStack>
            <Constructor page={home} />
          </VStack>
        )}
      </Box>
    </>
  )
}
