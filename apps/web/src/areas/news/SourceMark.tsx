import { brandColors, type NewsSource, newsSources } from '@ordinator/model/areas/news/source'
import {
  IconBrandFacebook,
  IconBrandGoogle,
  IconBrandInstagram,
  IconBrandTelegram,
  IconBrandTwitter,
  IconBrandVk,
  IconBrandYoutube,
  IconWorld,
  type TablerIcon,
} from '@tabler/icons-react'
import { HStack } from '#kit/Stacks.tsx'
import classes from './SourceMark.module.css'

const icons: Record<NewsSource, TablerIcon> = {
  site: IconWorld,
  vk: IconBrandVk,
  facebook: IconBrandFacebook,
  instagram: IconBrandInstagram,
  youtube: IconBrandYoutube,
  twitter: IconBrandTwitter,
  google: IconBrandGoogle,
  telegram: IconBrandTelegram,
}

/** Source of a news item: icon on its colour, and name. */
export function SourceMark({ source }: { source: NewsSource }) {
  const Icon = icons[source]
  return (
    <HStack component="span" gap={6} display="inline-flex" className="nowrap">
      <span className={classes.icon} style={{ background: brandColors[source] }} aria-hidden>
        <Icon size={14} />
      </span>
      {newsSources[source]}
    </HStack>
  )
}
