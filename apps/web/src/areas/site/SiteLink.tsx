import { IconExternalLink } from '@tabler/icons-react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useHold } from '#kit/Holding.tsx'
import { useCheckList } from './useCheckList.ts'

/** The way to the site as a visitor sees it. @param path within the site, with a slash in front */
export function SiteLink({ path = '' }: { path?: string }) {
  const { data, isPending } = useCheckList()
  useHold(isPending)
  if (!data) return null
  return (
    <ActionButton
      label="Открыть сайт"
      variant="default"
      icon={IconExternalLink}
      renderRoot={(props) => (
        <a href={data.address.replace(/\/$/, '') + path} target="_blank" rel="noopener noreferrer" {...props} />
      )}
    />
  )
}
