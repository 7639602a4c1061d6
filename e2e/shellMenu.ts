import type { Page } from 'playwright/test'

export const menu = (page: Page) => page.getByRole('navigation', { name: 'Разделы' })
