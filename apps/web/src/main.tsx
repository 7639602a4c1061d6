import '#base/startEarlyCalls.ts'
import { APP, isTraining } from '#kit/root.ts'

/**
 * The sign-in page comes without the router and the screens; every other address loads the app. A training clinic has no
 * sign-in page.
 */
if (location.pathname === `${APP}/login` && !isTraining) void import('#app/signIn.tsx').then(({ start }) => start())
else void import('#app/start.tsx').then(({ start }) => start())
