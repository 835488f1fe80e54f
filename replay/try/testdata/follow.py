"""A watch of the Python client for ConfigMaps, in a loop: list, watch from the list's version, and again."""

from kubernetes import client, config, watch

config.load_kube_config()
api = client.CoreV1Api()
while True:
    version = api.list_config_map_for_all_namespaces().metadata.resource_version
    for event in watch.Watch().stream(api.list_config_map_for_all_namespaces, resource_version=version):
        pass
