/** Public parts of the notifications area. */

export { askPopupPermission, popupPermission } from './alerts.ts'
export { openNotices } from './noticePanel.ts'
export { readAllNotices } from './readAllNotices.ts'
export { useReminding } from './useAlerts.ts'
