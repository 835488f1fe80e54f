// An informer of the JavaScript client for ConfigMaps, as its README has it: started again a second after an error.
import { createRequire } from 'node:module';

const k8s = createRequire(process.env.CLIENTS + '/')('@kubernetes/client-node');
const config = new k8s.KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(k8s.CoreV1Api);
const informer = k8s.makeInformer(config, '/api/v1/configmaps', () => api.listConfigMapForAllNamespaces());
informer.on('error', () => setTimeout(() => informer.start(), 1000));
informer.start();
