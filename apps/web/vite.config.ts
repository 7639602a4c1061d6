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
  },
})
