import { declaredAt } from '@ordinator/model/entity'
import { useMatches } from '@tanstack/react-router'
import { RegistryPage } from '../RegistryPage.tsx'

/** The screen of a page that only names its registry. */
export default function RegistryScreen() {
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.page })
  const entity = page?.entity === undefined ? undefined : declaredAt(page.entity)
  return page && entity && <RegistryPage key={page.key} page={page} entity={entity} />
}
