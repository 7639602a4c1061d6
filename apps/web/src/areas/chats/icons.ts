import {
  IconBrandVk,
  IconDeviceMobileMessage,
  IconDeviceMobileSearch,
  IconHeadset,
  IconMessageBolt,
  IconMessageSearch,
  IconPlugConnected,
  IconUsersGroup,
  IconWorldPin,
  type TablerIcon,
} from '@tabler/icons-react'

/** Icons of the pages of this area by their keys in the page list; `app/icons.ts` joins them. */
export const icons = {
  chats: IconHeadset,
  chatJournal: IconMessageSearch,
  onlineJournal: IconDeviceMobileSearch,
  serviceOnline: IconDeviceMobileMessage,
  suggestions: IconMessageBolt,
  domainmap: IconWorldPin,
  operatorGroups: IconUsersGroup,
  chatChannels: IconPlugConnected,
  socialsVk: IconBrandVk,
} satisfies Readonly<Record<string, TablerIcon>>
