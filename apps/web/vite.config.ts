import react from '@vitejs/plugin-react'
import { type Connect, defineConfig, type Plugin } from 'vite'

const api = process.env.API ?? 'http://localhost:8080'

/** The app lives at /app and its assets at /web/app/; the server does this in production, this in development. */
function appAddress(): Plugin {
  const rewrite: Connect.NextHandleFunction = (request, _response, next) => {
    if (/^\/(app([/?].*)?)?$/.test(request.url ?? '')) request.url = '/web/app/index.html'
    next()
  }
  return {
    name: 'ordinator:app-address',
    configureServer: (server) => void server.middlewares.use(rewrite),
    configurePreviewServer: (server) => void server.middlewares.use(rewrite),
  }
}

const proxy = {
  '^/(?!web/app/|app(/|$|\\?)|$)': { target: api, ws: true, changeOrigin: false },
}

/**
 * Layers of script, the first match wins. Left to itself the bundler makes a file for each set of screens that share a
 * module, and a board then asks for a hundred tiny ones. What is not named here stays with the screen that uses it. No
 * area is named: what two screens of one share makes that area's own file.
 */
const layers = [
  { name: 'shell', tags: ['$initial' as const] },
  // Only forms that check whole settings need it.
  {
    name: 'checks',
    test: /node_modules\/zod\/|packages\/model\/src\/areas\/settings\/(children\/|checks|setting\.|networks|commonSettings)/,
  },
  // What the sign-in page shares with other screens: it must not wait for the rest of theirs.
  {
    name: 'sign-in',
    test: /@mantine\/core\/esm\/(components\/(Alert|Checkbox|Input|InputBase|TextInput|PasswordInput|Text)|utils\/(InlineInput|InputsGroupFieldset))\/|web\/src\/base\/redirect\./,
  },
  // What the frame and the first page behind the sign-in need.
  {
    name: 'home',
    test: /packages\/model\/src\/|@tanstack\/(react-)?query|components\/Skeleton\/|web\/src\/(app\/|base\/|realtime\/|records\/(keys|reads)\.|kit\/(EmptyState|ErrorState|PageHead|NamedIcon|color)\.)/,
    minShareCount: 3,
  },
  { name: 'icons', test: /@tabler\/icons-react/, minShareCount: 2 },
  { name: 'often', minShareCount: 4 },
  { name: (id: string) => areaOf(id), test: /web\/src\/areas\//, minShareCount: 2 },
  { name: 'screens', test: /web\/src\/(kit|records)\//, minShareCount: 2 },
]

const areaOf = (id: string): string | undefined => /web\/src\/areas\/([^/]+)\//.exec(id)?.[1]

export default defineConfig({
  base: '/web/app/',
  // Several development servers side by side need a cache each.
  ...(process.env.VITE_CACHE ? { cacheDir: process.env.VITE_CACHE } : {}),
  plugins: [appAddress(), react()],
  server: { proxy },
  preview: { proxy },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The first with light-dark(): an older target turns it into variables that nothing sets.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: { codeSplitting: { groups: layers.map((layer, i) => ({ ...layer, priority: layers.length - i })) } },
    },
  },
})
